from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from whileai_export.cli.door import Door
from whileai_export.cli.way_on import onwards, way_on

LEAKS: dict[str, Any] = {
    "source": {},
    "counts": {"read": 100},
    "options": {},
    "findings": {"privileged_leak": {"count": 2, "refuses": True}},
}


@pytest.fixture(autouse=True)
def program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["bin/whileai-export"])


def door(*typed: str, source: str = "runs.jsonl") -> Door:
    def no_project() -> Any:
        raise AssertionError

    return Door(no_project, typed, source=source, around=["--system-prompt", "p.md"])


def typed_next(door: Door, code: str, report: dict[str, Any] = LEAKS) -> str | None:
    found = way_on(door, code, report)
    return found and found.command.removeprefix("bin/whileai-export ")


def test_a_call_that_writes_goes_on_as_itself():
    writing = door("export", "runs.jsonl", "--on-leak", "refuse", "-o", "t.jsonl")
    assert typed_next(writing, "privileged_leak") == (
        "export runs.jsonl -o t.jsonl --on-leak quarantine"
    )


def test_a_switch_is_turned_and_not_said_twice():
    writing = door("preference", "--strict", "runs.jsonl")
    assert typed_next(writing, "structure_invalid") == "preference runs.jsonl --no-strict"


def test_a_check_that_was_strict_goes_on_as_one_that_is_not():
    checking = door("check", "runs.jsonl", "--strict")
    assert typed_next(checking, "structure_invalid") == "check runs.jsonl"


def test_a_call_that_looks_goes_on_as_the_export_of_its_file(tmp_path: Path):
    file = tmp_path / "runs.jsonl"
    file.touch()
    looking = door("check", str(file), "--strict", source=str(file))
    assert typed_next(looking, "privileged_leak") == (
        f"export {file} --system-prompt p.md --on-leak quarantine"
    )


def test_the_export_of_a_simulation_is_written_here(tmp_path: Path):
    looking = door("check", "x", source=str(tmp_path / "desk" / "trajectories.jsonl"))
    assert "-o desk.train.jsonl" in str(typed_next(looking, "privileged_leak"))
    looking = door("check", "x", source="s3://box/night.jsonl.gz")
    assert "-o night.train.jsonl" in str(typed_next(looking, "privileged_leak"))


def test_what_no_row_has_is_left_for_the_reader_to_put_in(tmp_path: Path):
    file = tmp_path / "runs.jsonl"
    file.touch()
    looking = Door(lambda: pytest.fail("no project"), ("inspect", str(file)), source=str(file))
    places = {"system_prompt_from": {"none": 100}, "tools_from": {"row": 60, "none": 40}}
    assert typed_next(looking, "privileged_leak", {**LEAKS, "source": places}) == (
        f"export {file} --system-prompt FILE --on-leak quarantine"
    )
    looking.typed = ("check", str(file))
    assert typed_next(looking, "privileged_leak", {**LEAKS, "source": places}) == (
        f"export {file} --on-leak quarantine"
    )


def test_what_only_a_trainer_reads_is_exported_by_nobody():
    report = {"counts": {"read": 3}}
    assert typed_next(door("check", "p.jsonl"), "tool_call_roundtrip_invalid", report) is None


def test_where_no_setting_helps_the_data_must_be_mended():
    found = list(onwards(door("inspect", "runs.jsonl"), "holdout", LEAKS))
    assert found == ["to go on, mend these rows, or name a file of graded trajectories"]
