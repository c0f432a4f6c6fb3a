import json
from collections.abc import Callable
from pathlib import Path

import dagster as dg

from whileai_export.defs.outcomes import outcomes
from whileai_export.defs.resources import Folders
from whileai_export.shared.project import Step


def ran(home: Path, body: Callable[[dg.AssetExecutionContext], object]) -> list[Step]:
    """The graph with one asset that does what ``body`` does, and one after it."""

    @dg.asset(output_required=False)
    def training_rows(context: dg.AssetExecutionContext):
        return body(context)

    @dg.asset(deps=[training_rows])
    def sft_jsonl() -> None: ...

    result = dg.materialize(
        [training_rows, sft_jsonl],
        raise_on_error=False,
        run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
    )
    return [
        step for step in outcomes(result, Folders(home), "a") if step.asset != "preference_jsonl"
    ]


def states(steps: list[Step]) -> list[str]:
    return [step.state for step in steps]


def test_a_written_step_reads_the_report_beside_its_files(tmp_path: Path):
    for kind in ("training_rows", "sft/a"):
        (tmp_path / kind).mkdir(parents=True)
    report = {"counts": {"written": 2}, "outputs": [{"path": "/home/a.jsonl"}]}
    (tmp_path / "training_rows/a.report.json").write_text(json.dumps(report), "utf-8")
    (tmp_path / "sft/a/report.json").write_text(json.dumps(report), "utf-8")
    steps = ran(tmp_path, lambda _: dg.MaterializeResult())
    assert states(steps) == ["not run", "written", "written"]
    assert steps[1].report == report
    assert steps[1].files == ("/home/a.jsonl",)


def test_rows_that_were_set_aside_are_told_with_their_file(tmp_path: Path):
    (tmp_path / "training_rows").mkdir()
    report = {"counts": {"written": 2, "quarantined": 1}, "outputs": []}
    (tmp_path / "training_rows/a.report.json").write_text(json.dumps(report), "utf-8")
    steps = ran(tmp_path, lambda _: dg.MaterializeResult())
    assert steps[1].quarantine == str(tmp_path / "quarantine/a.jsonl")


def test_a_gates_refusal_is_told_from_what_the_step_remembered(tmp_path: Path):
    def refuse(context: dg.AssetExecutionContext) -> None:
        folder = tmp_path / "refusals/training_rows"
        folder.mkdir(parents=True)
        refusal = {"run_id": context.run.run_id, "code": "privileged_leak", "findings": {"x": {}}}
        (folder / "a.json").write_text(json.dumps(refusal), "utf-8")
        raise dg.Failure("privileged_leak: 1 of 2 rows", allow_retries=False)

    steps = ran(tmp_path, refuse)
    assert states(steps) == ["not run", "refused", "not run"]
    assert (steps[1].code, steps[1].problem) == ("privileged_leak", "privileged_leak: 1 of 2 rows")
    assert steps[1].report["findings"] == {"x": {}}


def test_an_older_refusal_is_not_taken_for_this_one(tmp_path: Path):
    folder = tmp_path / "refusals/training_rows"
    folder.mkdir(parents=True)
    older = {"run_id": "older", "code": "privileged_leak", "findings": {"x": {}}}
    (folder / "a.json").write_text(json.dumps(older), "utf-8")

    def refuse(_: dg.AssetExecutionContext) -> None:
        raise dg.Failure("stale input", allow_retries=False)

    step = ran(tmp_path, refuse)[1]
    assert (step.state, step.code, step.report) == ("refused", "", {})
    assert step.problem == "stale input"


def test_a_fault_of_ours_is_a_crash_that_names_the_error(tmp_path: Path):
    def fail(_: dg.AssetExecutionContext) -> None:
        raise ZeroDivisionError("nought")

    step = ran(tmp_path, fail)[1]
    assert (step.state, step.problem) == ("crashed", "ZeroDivisionError: nought")
