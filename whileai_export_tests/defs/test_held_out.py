from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from whileai_export.defs.dataset import Dataset, DatasetOptions
from whileai_export.defs.defaults import PAIRS, ROWS, SFT
from whileai_export.defs.held_out import evaluation_files, held_out
from whileai_export.defs.step import chosen
from whileai_export.shared.errors import OptionError, SourceError
from whileai_export_tests.defs.homes import Project, check, checks, materialized, problem, rows

FILE = "eval/tasks.jsonl"
OPTIONS = DatasetOptions(holdout=(FILE,))
ASSETS = ("sft_jsonl", "preference_jsonl")


@pytest.fixture
def guarded(make: Callable[..., Project]) -> Project:
    """A project with an evaluation file, and four simulated tasks: t0 to t3."""
    project = make(None, OPTIONS)
    project.add("night", rows())
    evaluate(project, {"task": "another"})
    return project


def evaluate(project: Project, *tasks: dict[str, str]) -> Path:
    path = project.home / FILE
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(task) + "\n" for task in tasks), "utf-8")
    return path


@pytest.mark.parametrize("asset", ASSETS)
def test_other_tasks_pass_and_the_check_says_how_many_were_compared(guarded: Project, asset: str):
    result = guarded.run("night")
    found = check(result, asset, "holdout")
    assert (found.passed, found.metadata["checked"].value) == (True, True)
    assert found.description == "holdout: 8 rows checked, 0 rows with findings"
    report = guarded.report(asset.removesuffix("_jsonl"), "night")
    assert list(report["holdout"]) == [FILE]


@pytest.mark.parametrize("asset", ASSETS)
@pytest.mark.parametrize(
    "task", [{"task": "t1"}, {"prompt": "Please look up T1"}], ids=["task", "ask"]
)
def test_a_held_out_row_turns_the_check_red_and_publishes_nothing(
    guarded: Project, asset: str, task: dict[str, str]
):
    evaluate(guarded, task)
    guarded.run("night", "graded_simulations", "training_rows")
    result = guarded.run("night", asset)
    assert not result.success
    assert checks(result)[f"{asset}/holdout"] is False
    assert checks(result)[f"{asset}/privileged_leak"] is True
    assert materialized(result) == set()
    place = "task" if "task" in task else "ask"
    assert problem(result).startswith(f"holdout: 2 of 8 rows. line 3 $.{place}: the row's {place}")
    assert not any(path.startswith(("sft/", "preference/")) for path in guarded.files())


def test_a_refusal_leaves_what_was_published(guarded: Project):
    guarded.run("night")
    before = guarded.report("sft", "night")
    evaluate(guarded, {"task": "t1"})
    assert not guarded.run("night").success
    assert guarded.report("sft", "night") == before


@pytest.mark.parametrize("asset", ASSETS)
def test_without_evaluation_files_the_check_passes_and_says_so(project: Project, asset: str):
    project.add("night", rows())
    found = check(project.run("night"), asset, "holdout")
    assert (found.passed, found.metadata["checked"].value) == (True, False)
    assert found.description == "holdout: not checked, export.toml names no evaluation files"


def test_other_evaluation_rows_are_another_decision(guarded: Project):
    def digests() -> list[str]:
        kinds = {"training_rows": ROWS, "sft_jsonl": SFT, "preference_jsonl": PAIRS}
        dataset = Dataset(None, OPTIONS)
        return [
            chosen(dataset, asset, careful, guarded.folders, {}).configured_digest
            for asset, careful in kinds.items()
        ]

    before = digests()
    evaluate(guarded, {"task": "t1"})
    changed = [one != other for one, other in zip(before, digests(), strict=True)]
    assert changed == [False, True, True]


def test_a_file_that_is_not_there_is_refused_by_its_name(guarded: Project):
    (guarded.home / FILE).unlink()
    assert problem(guarded.run("night")) == (
        "holdout: expected a file under the home, got 'eval/tasks.jsonl'"
    )


def test_a_file_that_is_not_there_is_told_with_the_table_that_names_it(project: Project):
    options = DatasetOptions(holdout=(FILE,), holdout_from="[dataset.support]")
    with pytest.raises(OptionError) as refused:
        evaluation_files(Dataset("support", options), project.folders)
    assert str(refused.value) == (
        "holdout: expected a file under the home, got 'eval/tasks.jsonl'"
        " (export.toml, [dataset.support])"
    )


def test_a_path_out_of_the_home_is_refused(project: Project):
    dataset = Dataset(None, DatasetOptions(holdout=("../tasks.jsonl",)))
    with pytest.raises(SourceError, match="expected a path under the home"):
        evaluation_files(dataset, project.folders)


def test_a_file_without_rows_is_refused(guarded: Project):
    evaluate(guarded)
    with pytest.raises(SourceError, match=r"tasks\.jsonl: expected rows, got an empty file"):
        held_out(Dataset(None, OPTIONS), guarded.folders)


def test_a_folder_is_no_evaluation_file(guarded: Project):
    dataset = Dataset(None, DatasetOptions(holdout=("eval",)))
    with pytest.raises(OptionError, match="expected a file under the home, got 'eval'"):
        held_out(dataset, guarded.folders)
