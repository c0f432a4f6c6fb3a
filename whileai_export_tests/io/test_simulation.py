"""A simulation folder: private, whole, and the same rows when read again."""

from __future__ import annotations

import json
import math
from pathlib import Path
from types import SimpleNamespace

import pytest

from whileai_export.io.decode import decode
from whileai_export.io.lines import lines
from whileai_export.io.simulation import save_simulation
from whileai_export.io.source import opened
from whileai_export.shared.errors import OptionError, SourceError
from whileai_export_tests.builders import mode

TOOLS = [{"type": "function", "function": {"name": "look"}}]
ROWS = [
    {"prompt": "café\u2028", "privileged": {"note": "secret"}, "n": 2**70},
    {"prompt": "x\ud800", "reward": 0.5, "empty": None, "t": (1, 2)},
]


def saved(folder: Path) -> list[dict]:
    return [decode(line)[0] for _, line in lines(folder / "trajectories.jsonl")]


def test_rows_come_back_as_they_were_with_what_is_known_about_them(tmp_path):
    profile = SimpleNamespace(policy="Be kind.", tools=TOOLS)
    data = SimpleNamespace(trajectories=ROWS, profile=profile, system_prompts={"ab": "Be brief."})
    folder = save_simulation(data, tmp_path / "sims" / "shop")
    assert folder == tmp_path / "sims" / "shop"
    assert saved(folder) == [ROWS[0], {**ROWS[1], "t": [1, 2]}]
    assert json.loads((folder / "profile.json").read_bytes()) == {
        "policy": "Be kind.",
        "tools": TOOLS,
        "system_prompts": {"ab": "Be brief."},
    }
    with opened(folder) as found:
        assert (found.around.source_prompt, found.around.source_tools) == ("Be kind.", TOOLS)
        assert found.around.source_prompts == {"ab": "Be brief."}


def test_the_folder_and_its_files_are_for_their_owner_alone(tmp_path):
    tmp_path.chmod(0o755)
    (tmp_path / "shop").mkdir(0o755)
    folder = save_simulation([{"a": 1}], tmp_path / "shop")
    assert mode(folder) == 0o700
    assert mode(folder / "trajectories.jsonl") == mode(folder / "profile.json") == 0o600
    assert sorted(path.name for path in folder.iterdir()) == ["profile.json", "trajectories.jsonl"]


def test_nan_stays_nan(tmp_path):
    folder = save_simulation([{"reward": math.nan, "x": math.inf}], tmp_path / "shop")
    (row,) = saved(folder)
    assert math.isnan(row["reward"])
    assert row["x"] == math.inf


def test_what_the_caller_knows_wins(tmp_path):
    (tmp_path / "rows.jsonl").write_bytes(b'{"a":1}')
    (tmp_path / "rows.meta.json").write_text('{"system_prompt": "old", "tools": [{"name": "x"}]}')
    folder = save_simulation(tmp_path / "rows.jsonl", tmp_path / "shop", system_prompt="new")
    assert json.loads((folder / "profile.json").read_bytes()) == {
        "policy": "new",
        "tools": [{"name": "x"}],
    }


def test_a_file_is_copied_with_what_is_no_row_in_it(tmp_path):
    content = b'{"a": 1}\r\n\n{"torn": [\nNaN\n\xff\n{"last": 1}'
    (tmp_path / "rows.jsonl").write_bytes(b"\xef\xbb\xbf" + content)
    folder = save_simulation(str(tmp_path / "rows.jsonl"), str(tmp_path / "shop"))
    assert (folder / "trajectories.jsonl").read_bytes() == content + b"\n"


def test_a_simulation_is_replaced(tmp_path):
    save_simulation([{"a": 1}], tmp_path / "shop")
    save_simulation([{"a": 2}], tmp_path / "shop")
    assert saved(tmp_path / "shop") == [{"a": 2}]


PAIR = {"prompt": "p", "chosen": {"steps": []}, "rejected": {"steps": []}}


def test_preference_pairs_are_no_simulation_and_nothing_is_left(tmp_path):
    (tmp_path / "pairs.jsonl").write_text(json.dumps(PAIR) + "\n")
    for pairs, where in (([PAIR], "row 0"), (tmp_path / "pairs.jsonl", "line 1")):
        with pytest.raises(SourceError) as caught:
            save_simulation(pairs, tmp_path / "shop")
        assert str(caught.value) == (
            f"{where}: expected a trajectory, got a preference pair (export_preference takes those)"
        )
        assert not (tmp_path / "shop").exists()


def test_a_folder_with_other_files_is_refused(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(OptionError, match="expected a new folder or a simulation"):
        save_simulation([{"a": 1}], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_file_in_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "shop").write_text("mine")
    with pytest.raises(OptionError, match="expected a folder to write to, got a file"):
        save_simulation([{"a": 1}], tmp_path / "shop")


def test_a_simulation_is_not_saved_onto_itself(tmp_path):
    folder = save_simulation([{"a": 1}], tmp_path / "shop")
    with pytest.raises(OptionError, match="the output is the source"):
        save_simulation(folder, folder)
    assert saved(folder) == [{"a": 1}]


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (7, "row 1: expected an object, got int"),
        ({"a": [{"b": {1}}]}, "row 1: expected a JSON value, got set - at `$.a[0].b`"),
        ({"a": {1: 2}}, "row 1: expected text as a key, got int - at `$.a`"),
        ({"a": b"x"}, "row 1: expected a JSON value, got bytes - at `$.a`"),
    ],
)
def test_a_row_that_json_would_change_is_refused_and_nothing_is_left(tmp_path, row, problem):
    with pytest.raises(SourceError) as caught:
        save_simulation([{"a": 1}, row], tmp_path / "shop")
    assert str(caught.value) == problem
    assert list(tmp_path.iterdir()) == []


def test_a_row_that_contains_itself_is_too_deep(tmp_path):
    row: dict[str, object] = {}
    row["a"] = row
    with pytest.raises(SourceError, match="expected at most 254 levels"):
        save_simulation([row], tmp_path / "shop")


@pytest.mark.parametrize("content", [b"\n \n", b"\xef\xbb\xbf"])
def test_a_source_without_rows_is_no_simulation(tmp_path, content):
    (tmp_path / "rows.jsonl").write_bytes(content)
    for source in ([], tmp_path / "rows.jsonl"):
        with pytest.raises(SourceError, match="expected rows, got none"):
            save_simulation(source, tmp_path / "shop")
    assert not (tmp_path / "shop").exists()
