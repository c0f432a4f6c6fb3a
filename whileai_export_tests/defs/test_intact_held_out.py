from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import dagster as dg
import pytest

from whileai_export.defs.dataset import Dataset, DatasetOptions
from whileai_export.defs.intact import inspected
from whileai_export_tests.defs.homes import SECRET, Project, checks, rows
from whileai_export_tests.defs.test_intact import rewrite

FILE = "eval/tasks.jsonl"
GUARDED = Dataset(None, DatasetOptions(holdout=(FILE,), holdout_from="[defaults]"))


@pytest.fixture
def published(project: Project) -> Project:
    project.add("night", rows())
    assert project.run("night").success
    return project


def evaluate(project: Project, *tasks: object) -> Path:
    """Name an evaluation file after everything was published."""
    path = project.home / FILE
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{json.dumps(task)}\n" for task in tasks), "utf-8")
    return path


def guarded(project: Project, kind: str) -> tuple[bool, dg.AssetCheckSeverity, str]:
    found = inspected(GUARDED, project.folders, kind, "night")
    return found.passed, found.severity, found.description or ""


ERROR = dg.AssetCheckSeverity.ERROR


@pytest.mark.parametrize("kind", ["sft", "preference"])
@pytest.mark.parametrize(
    "task", [{"task": "t1"}, {"prompt": "PLEASE look up  t1."}], ids=["task", "ask"]
)
def test_a_task_that_was_held_out_after_it_was_published_is_found(
    published: Project, kind: str, task: dict[str, str]
):
    evaluate(published, {"task": "another"}, task)
    assert guarded(published, kind) == (
        False,
        ERROR,
        "openai: holdout: 4 rows checked, 1 row with findings;"
        " trl: holdout: 4 rows checked, 1 row with findings",
    )


@pytest.mark.parametrize("kind", ["sft", "preference"])
def test_other_tasks_that_are_held_out_change_nothing(published: Project, kind: str):
    evaluate(published, {"task": "t9"}, {"prompt": "Please look up t9."})
    passed, _, said = guarded(published, kind)
    assert (passed, said) == (True, "2 files as recorded")


@pytest.mark.parametrize("kind", ["sft", "preference"])
@pytest.mark.parametrize(
    ("task", "others"),
    [({"task": "t1"}, []), ({"prompt": "Please look up t1."}, ["fireworks"])],
    ids=["task", "ask"],
)
def test_every_format_is_compared_by_what_its_rows_hold(
    project: Project, kind: str, task: dict[str, str], others: list[str]
):
    project.add("night", rows())
    formats = ["openai", "trl", "trl-completion", "fireworks"]
    told = {"formats": formats}
    assert project.run("night", sft_jsonl=told, preference_jsonl=told).success
    evaluate(project, task)
    found = inspected(GUARDED, project.folders, kind, "night").metadata["problems"].value
    assert isinstance(found, list)
    assert sorted({entry.partition(":")[0] for entry in found}) == sorted([*formats[:3], *others])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "holdout: expected a file under the home, got 'eval/tasks.jsonl'"
         " (export.toml, [defaults])"),
        ("", "{path}: expected rows, got an empty file"),
        ('{"other": 1}\n', "line 1: {path}: expected a row of any shape, or an object with a task"
         " (scenario_id, task_id, task) or an ask (prompt, question), got neither"),
    ],
    ids=["missing", "empty", "neither"],
)  # fmt: skip
def test_evaluation_files_that_cannot_be_read_are_told_and_hide_nothing(
    published: Project, content: str | None, said: str
):
    path = evaluate(published)
    path.unlink() if content is None else path.write_text(content, "utf-8")
    rewrite(published, "sft", "Found t0, attempt 0.", f"Well, {SECRET}.", record=True)
    told = said.format(path=path)
    leak = "openai: privileged_leak: 4 rows checked, 1 quotes its own privileged block"
    assert guarded(published, "sft") == (False, ERROR, f"{told}; {leak}")
    assert guarded(published, "preference") == (False, ERROR, told)


def test_evaluation_files_of_nothing_published_are_not_asked_for(project: Project):
    project.add("night", rows())
    assert guarded(project, "sft")[2] == "nothing is published for night"


@pytest.mark.parametrize("kind", ["sft", "preference"])
def test_the_check_itself_compares_with_the_files_of_its_dataset(
    make: Callable[..., Project], kind: str
):
    project = make(None, GUARDED.options)
    evaluate(project, {"task": "another"})
    project.add("night", rows())
    assert project.run("night").success
    evaluate(project, {"task": "t1"})
    selected = dg.AssetCheckKey(dg.AssetKey(f"{kind}_jsonl"), "published_file_intact")
    job = project.definitions.resolve_job_def("__ASSET_JOB")
    alone = job.get_subset(asset_selection=set(), asset_check_selection={selected})
    ran = alone.execute_in_process(
        partition_key="night", instance=project.instance, raise_on_error=False
    )
    assert checks(ran) == {f"{kind}_jsonl/published_file_intact": False}
