from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta

import dagster as dg
import pytest

from whileai_export.defs import sft_jsonl
from whileai_export.defs import under_way as module
from whileai_export.defs.dataset import Dataset
from whileai_export.defs.publishable import parts
from whileai_export_tests.defs.homes import Project, leaking, rows


def problems(project: Project, name: str) -> dict[str, str]:
    found = parts(project.instance, Dataset(project.name), project.folders)
    return {part.kind: part.problem for part in found if part.simulation == name}


def test_a_partition_whose_latest_attempt_passed_may_go_in(project: Project) -> None:
    project.add("night", rows())
    project.run("night")
    assert problems(project, "night") == {"sft": "", "preference": ""}


def test_a_refused_partition_may_not_though_its_former_files_are_there(project: Project) -> None:
    project.add("night", rows())
    project.run("night")
    project.add("night", leaking())
    run = project.run("night").run_id[:8]
    said = f"training_rows was refused (privileged_leak) in run {run}"
    assert problems(project, "night") == {"sft": said, "preference": said}
    assert project.report("sft", "night")["n"] == 4


def test_a_refusal_for_want_of_the_options_that_published_says_so(project: Project) -> None:
    project.add("night", leaking())
    project.run("night", training_rows={"on_leak": "quarantine", "max_quarantined": 0.2})
    assert problems(project, "night") == {"sft": "", "preference": ""}
    run = project.run("night").run_id[:8]
    assert problems(project, "night")["sft"] == (
        f"training_rows was refused (privileged_leak) in run {run}; it ran with on_leak=refuse,"
        " max_quarantined=0.05, what stands published with on_leak=quarantine,"
        " max_quarantined=0.2: export.toml keeps a decision for every run"
    )


def test_a_part_knows_the_simulation_as_it_lies_there_now(project: Project) -> None:
    folder = project.add("night", rows())
    project.run("night")
    (part, _) = parts(project.instance, Dataset(), project.folders)
    assert part.present == project.report("sft", "night")["input"]
    shutil.rmtree(folder)
    (part, _) = parts(project.instance, Dataset(), project.folders)
    assert (part.present, part.problem) == (None, "")


def test_a_refusal_that_was_mended_is_forgotten(project: Project) -> None:
    project.add("night", leaking())
    project.run("night")
    project.add("night", rows())
    project.run("night")
    assert problems(project, "night") == {"sft": "", "preference": ""}


def crash(*_: object, **__: object) -> None:
    raise MemoryError


def test_an_attempt_that_crashed_may_not(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.add("night", rows())
    project.run("night")
    with monkeypatch.context() as broken:
        broken.setattr(sft_jsonl, "write_sft", crash)
        run = project.run("night", "sft_jsonl").run_id[:8]
    said = f"sft_jsonl: its latest attempt, run {run}, did not pass"
    assert problems(project, "night") == {"sft": said, "preference": ""}


NOT_ENDED = "has not ended; cut again when it has; one that was killed never does: run it again"


@pytest.mark.parametrize("status", ["STARTING", "STARTED", "CANCELING"])
def test_a_simulation_of_a_run_that_has_not_ended_may_not_go_in_by_halves(
    project: Project, status: str
) -> None:
    project.add("night", rows())
    project.run("night")
    run = project.run("night", "sft_jsonl").run_id
    project.unend(run, status)
    said = f"run {run[:8]} {NOT_ENDED}"
    assert problems(project, "night") == {"sft": said, "preference": said}
    assert {part.waits for part in parts(project.instance, Dataset(), project.folders)} == {True}
    project.run("night")
    assert problems(project, "night") == {"sft": "", "preference": ""}


def test_a_run_that_was_killed_is_told_to_be_run_again(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.add("night", rows())
    project.run("night")
    run = project.run("night", "sft_jsonl").run_id
    project.unend(run)
    monkeypatch.setattr(module, "_now", lambda: datetime.now(UTC) + timedelta(hours=7))
    said = f"run {run[:8]} was killed, or hangs: run it again"
    assert problems(project, "night") == {"sft": said, "preference": said}
    assert {part.waits for part in parts(project.instance, Dataset(), project.folders)} == {False}


def test_a_stale_step_is_an_attempt_that_did_not_pass(project: Project) -> None:
    project.add("night", rows())
    project.run("night")
    project.add("night", rows(5))
    run = project.run("night", "sft_jsonl").run_id[:8]
    assert problems(project, "night")["sft"] == (
        f"sft_jsonl: its latest attempt, run {run}, did not pass"
    )


def test_a_key_that_is_no_plain_name_is_left_out_by_name(project: Project) -> None:
    project.instance.add_dynamic_partitions("simulation", ["a/../b"])
    assert problems(project, "a/../b")["sft"].startswith("simulation name: expected 1 to 128")


def test_partitions_of_another_dataset_are_not_looked_at(project: Project) -> None:
    project.add("night", rows())
    other = Dataset("support")
    assert list(parts(project.instance, other, project.folders)) == []
    assert isinstance(other.partitions, dg.DynamicPartitionsDefinition)
