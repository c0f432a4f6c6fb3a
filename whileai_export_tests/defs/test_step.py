from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import dagster as dg
import pytest

from whileai_export.defs import step as step_file
from whileai_export.defs.config import SftConfig
from whileai_export.defs.dataset import Dataset
from whileai_export.defs.inputs import StaleInput
from whileai_export.defs.resources import Datasets
from whileai_export.defs.step import attempt
from whileai_export.defs.way_on import problem_of
from whileai_export.pipeline.records import read_record
from whileai_export.shared.careful import CAREFUL_SFT
from whileai_export.shared.errors import ExportError, GateError, OptionError, SourceError
from whileai_export_tests.defs.homes import Project, row, rows


@pytest.fixture
def datasets(tmp_path: Path) -> Datasets:
    folder = tmp_path / "simulations" / "night"
    folder.mkdir(parents=True)
    (folder / "trajectories.jsonl").write_text("{}\n", "utf-8")
    return Datasets(home=str(tmp_path))


def step_for(datasets: Datasets, key: str = "night", config: SftConfig | None = None):
    context = SimpleNamespace(
        partition_key=key, run=SimpleNamespace(run_id="0123"), log_event=lambda _: None
    )
    return attempt(Dataset(), "sft_jsonl", context, datasets, CAREFUL_SFT, config)


def refused(datasets: Datasets, error: Exception | None, key: str = "night") -> dg.Failure:
    """The failure that an error inside a step becomes."""

    def body() -> None:
        with step_for(datasets, key, SftConfig()):
            if error:
                raise error

    with pytest.raises(dg.Failure) as failure:
        body()
    return failure.value


def remembered(datasets: Datasets) -> dict[str, object] | None:
    return read_record(datasets.of().refusal("sft_jsonl", "night"))


def test_a_gates_refusal_fails_once_and_is_remembered(datasets: Datasets):
    failure = refused(datasets, GateError("holdout", "2 rows"))
    assert (problem_of(failure.description), failure.allow_retries) == ("holdout: 2 rows", False)
    record = remembered(datasets)
    assert record is not None
    assert (record["code"], record["problem"]) == ("holdout", "holdout: 2 rows")
    assert {"input", "options_digest", "code_version", "run_id"} <= record.keys()


def test_a_source_that_cannot_be_read_is_remembered_too(datasets: Datasets):
    refused(datasets, SourceError("expected rows, got none"))
    assert (remembered(datasets) or {})["code"] == "source"


def test_a_stale_input_is_not_remembered(datasets: Datasets):
    assert problem_of(refused(datasets, StaleInput("stale")).description) == "stale"
    assert remembered(datasets) is None


def test_a_key_that_is_no_plain_name_fails_before_the_step_begins(datasets: Datasets):
    said = refused(datasets, None, key="../night").description or ""
    assert said.startswith("simulation name: expected")
    assert remembered(datasets) is None


def test_an_error_of_ours_stays_one(datasets: Datasets):
    with pytest.raises(KeyError), step_for(datasets):
        raise KeyError("ours")
    assert remembered(datasets) is None


def test_a_passed_attempt_forgets_the_refusal(datasets: Datasets):
    refused(datasets, GateError("holdout", "2 rows"))
    with step_for(datasets) as step:
        assert [path.name for path in step.targets("sft").values()] == [
            "sft.openai.jsonl",
            "sft.trl.jsonl",
        ]
        step.forget_refusal()
    assert remembered(datasets) is None


def spoil(datasets: Datasets, how: str) -> None:
    """Make the simulation one whose bytes cannot be told."""
    folder = datasets.of().simulation("night")
    rows = folder / "trajectories.jsonl"
    if how == "two files":
        (folder / "trajectories.jsonl.gz").touch()
    elif how == "folder and file":
        folder.with_name("night.jsonl").touch()
    else:
        rows.unlink()
    if how in ("gone", "another file"):
        folder.rmdir()
    if how == "another file":
        folder.touch()
    if how == "link out":
        rows.symlink_to("/etc/hostname")


@pytest.mark.parametrize(
    "how", ["two files", "folder and file", "gone", "empty", "another file", "link out"]
)
@pytest.mark.parametrize(
    "error",
    [SourceError("none"), GateError("holdout", "none"), OptionError("none"), ExportError("none")],
    ids=["source", "gate", "option", "any"],
)
def test_a_refusal_is_remembered_whatever_the_input_has_become(
    datasets: Datasets, how: str, error: ExportError
):
    spoil(datasets, how)
    failure = refused(datasets, error)
    assert (problem_of(failure.description), failure.allow_retries) == (str(error), False)
    record = remembered(datasets) or {}
    assert (record["input"], record["problem"]) == ({}, str(error))
    assert record["code"] == ("holdout" if isinstance(error, GateError) else "source")


def test_a_refusal_that_no_trace_can_be_kept_of_is_one_all_the_same(datasets: Datasets):
    (datasets.of().home / "refusals").symlink_to("/")
    failure = refused(datasets, GateError("holdout", "2 rows"))
    assert problem_of(failure.description) == (
        "holdout: 2 rows; no trace of this is kept: refusals/sft_jsonl/night.json: expected a"
        " path under the home, got a link out of it"
    )
    assert failure.allow_retries is False


def test_a_disk_that_takes_no_trace_hides_no_refusal(
    datasets: Datasets, monkeypatch: pytest.MonkeyPatch
):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(step_file, "write_private", full)
    assert problem_of(refused(datasets, SourceError("none")).description) == (
        "none; no trace of this is kept: [Errno 28] No space left on device"
    )


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("two files", True),
        ("empty", True),
        ("gone", True),
        ("folder and file", False),
        ("another file", False),
    ],
)
def test_a_file_is_asked_for_only_where_one_can_be_put(datasets: Datasets, how: str, told: bool):
    spoil(datasets, how)
    said = refused(datasets, SourceError("none")).description or ""
    assert ("put a file that can be read in its place" in said) is told


def test_a_damaged_record_of_ours_is_mended_by_a_run_and_not_by_another_simulation(
    project: Project,
):
    project.add("night", rows())
    project.run("night")
    project.folders.training_rows_report("night").write_text("[]", "utf-8")
    result = project.run("night", "sft_jsonl")
    assert next_of(result)[0] == "run the whole graph for it"
    assert next_of(result)[1].endswith(" run night")
    assert not project.folders.refusal("sft_jsonl", "night").exists()
    assert project.run("night").success


def test_rows_without_a_reward_are_refused_with_the_setting_that_takes_them(project: Project):
    project.add("night", [row("a", k, None) for k in range(2)])
    result = project.run("night")
    assert next_of(result)[1].endswith(" run night --set min_reward=none")
    record = json.loads(project.folders.refusal("sft_jsonl", "night").read_text("utf-8"))
    assert (record["code"], record["counts"]["refused"]) == ("ungraded", 2)


def next_of(result: dg.ExecuteInProcessResult) -> tuple[str, str]:
    """What the first failed step says to do, in words and as a command."""
    failure = result.get_step_failure_events()[0].step_failure_data.user_failure_data
    assert failure is not None
    return str(failure.metadata["next"].value), str(failure.metadata["next_command"].value)
