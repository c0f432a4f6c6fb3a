from __future__ import annotations

from whileai_export.defs.own_options import of_latest_attempt, otherwise, own_options
from whileai_export.pipeline.records import read_record
from whileai_export_tests.defs.homes import Project, leaking, problem, rows

ROOM = {"on_leak": "quarantine", "max_quarantined": 0.2}
HINT = (
    "; it ran with on_leak=refuse, max_quarantined=0.05, what stands published with"
    " on_leak=quarantine, max_quarantined=0.2: export.toml keeps a decision for every run"
)


def test_what_a_run_chose_is_told_and_what_is_configured_is_not(project: Project) -> None:
    project.add("night", rows())
    project.run("night", sft_jsonl={"min_reward": 1.0})
    assert own_options(project.report("sft", "night")) == {"min_reward": 1.0}
    assert own_options(project.report("preference", "night")) == {}
    assert of_latest_attempt(project.folders, "night") == {"min_reward": 1.0}
    project.run("night", sft_jsonl={"min_reward": 0.5})
    assert of_latest_attempt(project.folders, "night") == {}


def test_of_columns_those_are_told_that_were_asked_for(project: Project) -> None:
    project.add("night", rows())
    project.run("night", sft_jsonl={"columns": ["tier"], "formats": ["trl"]})
    assert of_latest_attempt(project.folders, "night") == {"columns": ["tier"], "formats": ["trl"]}


def test_a_refused_attempt_is_the_latest(project: Project) -> None:
    assert of_latest_attempt(project.folders, "night") == {}
    project.add("night", leaking())
    project.run("night", training_rows=ROOM)
    assert of_latest_attempt(project.folders, "night") == ROOM
    project.run("night")
    assert of_latest_attempt(project.folders, "night") == {}


def test_a_refusal_tells_which_options_let_the_published_one_pass(project: Project) -> None:
    project.add("night", leaking())
    project.run("night", training_rows=ROOM)
    result = project.run("night")
    assert problem(result).endswith(HINT)
    refusal = read_record(project.folders.refusal("training_rows", "night"))
    assert refusal is not None
    assert otherwise(refusal, project.folders, "training_rows", "night") == HINT


def test_the_same_options_are_no_reason(project: Project) -> None:
    project.add("night", rows())
    project.run("night")
    project.add("night", leaking())
    assert "export.toml" not in problem(project.run("night"))


def test_a_step_that_has_no_options_has_no_reason_either(project: Project) -> None:
    assert otherwise({}, project.folders, "graded_simulations", "night") == ""
