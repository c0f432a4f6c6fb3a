from __future__ import annotations

import hashlib
from pathlib import Path

import dagster as dg
import pytest

from whileai_export.defs import inputs
from whileai_export.defs.inputs import (
    StaleInput,
    Upstream,
    present_input,
    simulation_files,
    staged_input,
)
from whileai_export.defs.resources import Folders
from whileai_export.pipeline.records import write_private
from whileai_export.shared.errors import SourceError

KEY = dg.AssetKey("training_rows")
REPORT = {"run_id": "0123456789", "outputs": [{"sha256": "abc"}]}


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    folder = tmp_path / "simulations" / "night"
    folder.mkdir(parents=True)
    (folder / "trajectories.jsonl").write_text("{}\n", "utf-8")
    return Folders(tmp_path)


def test_the_input_is_the_bytes_and_the_facts_beside_them(folders: Folders):
    bare = present_input(folders, "night")
    assert bare.sha256 == hashlib.sha256(b"{}\n").hexdigest()
    assert (bare.facts_sha256, bare.bytes) == ("", 3)
    (folders.simulation("night") / "profile.json").write_text("{}", "utf-8")
    told = present_input(folders, "night")
    assert told.sha256 == bare.sha256
    assert told.digest != bare.digest


def test_the_facts_of_a_file_are_its_sidecar_and_the_profile_beside_it(tmp_path: Path):
    folder = tmp_path / "simulations"
    folder.mkdir()
    for name in ("day.jsonl.gz", "day.meta.json", "profile.json", "other.meta.json"):
        (folder / name).touch()
    rows, facts = simulation_files(Folders(tmp_path), "day")
    assert rows.name == "day.jsonl.gz"
    assert [path.name for path in facts] == ["day.meta.json", "profile.json"]


def test_no_simulation_and_one_without_rows_are_refused(folders: Folders):
    with pytest.raises(StaleInput, match="expected a folder or a file, found none"):
        present_input(folders, "gone")
    (folders.simulation("night") / "trajectories.jsonl").unlink()
    with pytest.raises(SourceError, match=r"expected one trajectories\.jsonl, found 0"):
        present_input(folders, "night")


def test_rows_that_are_a_link_out_of_the_home_are_refused(folders: Folders, tmp_path: Path):
    rows = folders.simulation("night") / "trajectories.jsonl"
    rows.unlink()
    outside = tmp_path.parent / f"{tmp_path.name}.outside"
    outside.write_text("{}\n", "utf-8")
    rows.symlink_to(outside)
    with pytest.raises(SourceError, match="expected a path under the home"):
        present_input(folders, "night")


def test_staged_rows_of_the_present_simulation_are_accepted(folders: Folders):
    now = present_input(folders, "night").identity()
    write_private(
        folders.training_rows_report("night"), {**REPORT, "configured_digest": "cafe", "input": now}
    )
    upstream = staged_input(folders, KEY, "night", "cafe")
    assert upstream.plain() == {
        "asset": "training_rows",
        "run_id": "0123456789",
        "sha256": "abc",
        "options": {},
        "quarantined": 0,
    }


def test_rows_that_were_staged_under_another_system_prompt_are_stale(folders: Folders):
    now = present_input(folders, "night").identity()
    staged = {**REPORT, "configured_digest": "cafe", "input": now}
    write_private(folders.training_rows_report("night"), staged)
    with pytest.raises(StaleInput, match="under other options or another system prompt"):
        staged_input(folders, KEY, "night", "beef")


def test_nothing_staged_is_refused_by_name(folders: Folders):
    with pytest.raises(StaleInput, match="training_rows has staged nothing for night"):
        staged_input(folders, KEY, "night", "cafe")
    now = present_input(folders, "night").identity()
    write_private(folders.training_rows_report("night"), {**REPORT, "input": now, "outputs": []})
    with pytest.raises(StaleInput, match="training_rows of night staged no row in run 01234567"):
        staged_input(folders, KEY, "night", "cafe")


def test_a_refused_attempt_is_refused_by_its_gate_and_run(folders: Folders):
    refusal = folders.refusal("training_rows", "night")
    write_private(refusal, {"code": "privileged_leak", "run_id": "9876543210"})
    with pytest.raises(StaleInput, match=r"refused \(privileged_leak\) in run 98765432"):
        staged_input(folders, KEY, "night", "cafe")


def test_other_bytes_are_refused_by_both_digests():
    upstream = Upstream("training_rows", "0123456789", "a" * 64, {})
    upstream.expect("a" * 64)
    with pytest.raises(StaleInput, match="recorded sha256 aaaaaaaaaaaa in run 01234567"):
        upstream.expect("b" * 64)


@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (FileNotFoundError(2, "No such file or directory"), StaleInput,
         "simulation night: it changed while it was read; try again"),
        (PermissionError(13, "Permission denied"), SourceError,
         "simulation night: cannot be read: Permission denied"),
        (OSError(5, "Input/output error"), SourceError,
         "simulation night: cannot be read: Input/output error"),
    ],
    ids=["gone", "unreadable", "broken"],
)  # fmt: skip
@pytest.mark.parametrize("at", ["simulation_files", "digests_of"])
def test_what_the_disk_refuses_is_said_of_the_simulation(
    folders: Folders,
    monkeypatch: pytest.MonkeyPatch,
    error: OSError,
    kind: type[SourceError],
    said: str,
    at: str,
):
    def refusing(*_: object) -> None:
        raise error

    monkeypatch.setattr(inputs, at, refusing)
    with pytest.raises(SourceError) as refused:
        present_input(folders, "night")
    assert (type(refused.value), str(refused.value)) == (kind, said)
    assert inputs.identity(folders, "night") == {}


def test_the_identity_is_empty_where_it_cannot_be_told(folders: Folders):
    assert inputs.identity(folders, "night") == {
        "sha256": "ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356",
        "facts_sha256": "",
    }
    folder = folders.simulation("night")
    folder.with_name("night.jsonl").touch()
    (folder.parent / "notes.md").touch()
    for name in ("night", "notes.md", "gone", "../night"):
        assert inputs.identity(folders, name) == {}


def test_only_what_is_alone_in_its_place_can_be_replaced(folders: Folders):
    assert [inputs.replaceable(folders, name) for name in ("night", "gone")] == [True, True]
    folder = folders.simulation("night")
    (folder / "trajectories.jsonl.gz").touch()
    assert inputs.replaceable(folders, "night")
    folder.with_name("night.jsonl").touch()
    (folder.parent / "notes.md").touch()
    (folder.parent / "out").symlink_to("/")
    names = ("night", "notes.md", "out", "../night")
    assert [inputs.replaceable(folders, name) for name in names] == [False] * 4


@pytest.mark.parametrize("text", ["[]", "{x", "{}", '{"outputs": 3}', '{"outputs": [{}]}'])
def test_a_damaged_report_is_written_again_by_the_step_that_left_it(folders: Folders, text: str):
    place = folders.training_rows_report("night")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, "utf-8")
    with pytest.raises(StaleInput, match="no input: what training_rows recorded"):
        staged_input(folders, KEY, "night", "cafe")


def test_a_damaged_refusal_is_no_fault_of_the_simulation(folders: Folders):
    place = folders.refusal("training_rows", "night")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("{x", "utf-8")
    with pytest.raises(StaleInput, match=r"no input: what training_rows recorded cannot be read"):
        staged_input(folders, KEY, "night", "cafe")
