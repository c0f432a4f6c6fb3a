from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from whileai_export import export_dataset
from whileai_export.shared.errors import OptionError
from whileai_export.versions import trace
from whileai_export_tests.versions.homes import Home, Row, row, rows


def test_a_row_is_traced_to_its_line_task_rollout_run_and_options(home: Home) -> None:
    home.cut()
    found = trace(home.shelf, "v0001", home.ids("desk")["t2"])
    assert (found["simulation"], found["task"], found["score"]) == ("desk", "t2", 1.0)
    assert found["sources"] == {
        "known": True,
        "rows": [{"row_id": home.ids("desk")["t2"], "task": "t2", "rollout": 0, "line": 5}],
    }
    assert [(p["format"], p["line"]) for p in found["places"]] == [("openai", 3), ("trl", 3)]
    assert found["run_id"] == "run-1"
    assert found["options"]["min_reward"] == 0.5
    assert found["steps"]["training_rows"]["options"]["max_quarantined"] == 1.0
    assert found["versions"] == ["v0001"]


def test_both_sides_of_a_pair_are_traced(home: Home) -> None:
    home.cut()
    found = trace(home.shelf, "v0001", home.ids("desk", "preference")["t1"])
    assert found["kind"] == "preference"
    assert [(s["side"], s["rollout"], s["line"]) for s in found["sources"]["rows"]] == [
        ("chosen", 0, 3),
        ("rejected", 1, 4),
    ]


def test_every_version_that_holds_the_row_is_named(home: Home) -> None:
    home.cut()
    row_id = home.ids("desk")["t0"]
    home.add("desk", [*rows(), row("t9")])
    home.export("desk")
    home.cut()
    home.add("desk", [row("t9")])
    home.export("desk")
    home.cut()
    assert trace(home.shelf, "v0002", row_id)["versions"] == ["v0001", "v0002"]


def test_a_row_of_a_simulation_that_changed_since_has_no_line(home: Home) -> None:
    home.cut()
    row_id = home.ids("desk")["t0"]
    home.add("desk", rows()[::-1])
    home.export("desk")
    found = trace(home.shelf, "v0001", row_id)["sources"]
    assert found["known"] is False
    assert found["why"].startswith("the simulation was staged again since")


def test_a_row_that_is_in_another_version_is_said_to_be_there(home: Home) -> None:
    home.cut()
    row_id = home.ids("desk")["t0"]
    home.add("desk", [row("t9")])
    home.export("desk")
    home.cut()
    with pytest.raises(OptionError, match=rf"v0002 holds no row {row_id}; it is in v0001"):
        trace(home.shelf, "v0002", row_id)


def refusal(home: Home, row_id: str) -> str:
    with pytest.raises(OptionError) as caught:
        trace(home.shelf, "v0001", row_id)
    return str(caught.value)


def test_a_row_that_nobody_knows_is_told_why_it_can_be_unknown_and_what_to_type(
    home: Home,
) -> None:
    home.cut()
    assert refusal(home, "0" * 16) == (
        "v0001 holds no row 0000000000000000; no version does."
        " A row that was published since is in none yet: `whileai-export cut`."
        " A file that was exported by itself has other ids, unless its simulation was named:"
        " `whileai-export export FILE --simulation NAME`"
    )


def test_what_is_no_row_id_is_said_to_be_none(home: Home) -> None:
    home.cut()
    assert refusal(home, "t2").startswith("v0001 holds no row t2; expected 16 hex digits, ")


@pytest.mark.parametrize("index", [{}, {"rollout_index": None}])
def test_an_id_of_a_file_that_was_exported_by_itself_is_found_here(
    home: Home, index: Row, tmp_path: Path
) -> None:
    home.add("desk", [{**row, **index} for row in rows()])
    home.export("desk")
    home.cut()
    file = tmp_path / "alone.jsonl"
    shutil.copyfile(home.simulation("desk") / "trajectories.jsonl", file)
    export_dataset(file, tmp_path / "t.jsonl", columns=["row_id", "task"])
    alone = [json.loads(line) for line in (tmp_path / "t.jsonl").read_text("utf-8").splitlines()]
    here = home.ids("desk")["t2"]
    assert refusal(home, next(r["row_id"] for r in alone if r["task"] == "t2")).endswith(
        f"; a file that was exported by itself calls a row so. Here it is {here}:"
        f" `whileai-export trace v0001 {here}`. `whileai-export export FILE --simulation desk`"
        " writes the ids of here"
    )


def test_a_trace_says_nothing_of_what_the_row_says(home: Home) -> None:
    home.cut()
    told = json.dumps(trace(home.shelf, "v0001", home.ids("desk")["t2"]))
    assert "Found t2" not in told
