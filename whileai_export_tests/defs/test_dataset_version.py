from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dagster as dg

from whileai_export.defs.dataset import DatasetOptions
from whileai_export.versions import Shelf
from whileai_export_tests.defs.homes import Project, checks, leaking, problem, rows

QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


def cut(project: Project, **config: Any) -> dg.ExecuteInProcessResult:
    prefix = f"{project.name}__" if project.name else ""
    name = f"{project.name}_cut_version" if project.name else "cut_version"
    ops = {"ops": {f"{prefix}dataset_version": {"config": config}}} if config else {}
    return project.definitions.resolve_job_def(name).execute_in_process(
        instance=project.instance, raise_on_error=False, run_config={**QUIET, **ops}
    )


def told(result: dg.ExecuteInProcessResult) -> dict[str, Any]:
    (event,) = result.get_asset_materialization_events()
    metadata = event.step_materialization_data.materialization.metadata
    return {name: value.value for name, value in metadata.items()}


def test_a_version_is_cut_of_everything_that_is_published(project: Project) -> None:
    for name in ("one", "two"):
        project.add(name, rows())
        project.run(name)
    result = cut(project)
    assert result.success
    assert checks(result) == {
        "dataset_version/counts_add_up": True,
        "dataset_version/no_task_in_two_splits": True,
    }
    found = told(result)
    assert (found["version"], found["new"], found["rows"], found["pairs"]) == ("v0001", True, 8, 8)
    assert found["dagster/row_count"] == 16
    assert "The first version." in found["changelog"]


def test_what_may_not_go_in_is_left_out_with_the_reason(project: Project) -> None:
    project.add("good", rows())
    project.add("leaky", leaking())
    for name in ("good", "leaky"):
        project.run(name)
    found = told(cut(project))
    assert found["simulations"] == 1
    assert [entry["simulation"] for entry in found["left_out"]] == ["leaky", "leaky"]
    assert found["left_out"][0]["reason"].startswith("training_rows was refused (privileged_leak)")


def test_the_history_reads_as_a_changelog(project: Project) -> None:
    project.add("night", rows())
    project.run("night")
    cut(project)
    project.add("night", rows(5))
    project.run("night")
    found = told(cut(project))
    assert (found["version"], found["rows_added"], found["rows_removed"]) == ("v0002", 1, 0)
    assert found["diff"]["tasks"]["added"] == {"count": 1, "named": ["t4"]}
    assert "- sft rows: 1 added" in found["changelog"]


def test_the_same_content_cuts_no_new_version(project: Project) -> None:
    project.add("night", rows())
    project.run("night")
    cut(project)
    again = cut(project)
    assert (told(again)["version"], told(again)["new"]) == ("v0001", False)
    unchanged = "Nothing that is published has changed since v0001; no new version."
    assert told(again)["changelog"] == unchanged
    project.add("night", rows(5))
    assert told(cut(project))["changelog"] == (
        f"{unchanged} Not exported yet: newer input of night."
    )


def test_a_run_may_hold_tasks_back(project: Project) -> None:
    project.add("night", rows(40))
    project.run("night")
    result = cut(project, test_share=0.25)
    assert checks(result)["dataset_version/no_task_in_two_splits"] is True
    folder = Shelf.of(project.home).folder("v0001")
    assert (folder / "sft" / "openai" / "test" / "night.jsonl").is_file()


def test_a_dataset_may_hold_tasks_back_always(make: Callable[..., Project]) -> None:
    project = make(None, DatasetOptions(test_share=0.25))
    project.add("night", rows(40))
    project.run("night")
    cut(project)
    assert (Shelf.of(project.home).folder("v0001") / "preference" / "trl" / "test").is_dir()


def test_nothing_published_is_a_failure_with_the_reason(project: Project) -> None:
    result = cut(project)
    assert not result.success
    assert problem(result) == (
        "no version: nothing is published yet; `whileai-export run SIMULATION` publishes"
    )


def test_a_named_dataset_has_versions_of_its_own(make: Callable[..., Project]) -> None:
    project = make("support")
    project.add("night", rows())
    project.run("night")
    assert cut(project).success
    assert Shelf.of(project.home, "support").names() == ["v0001"]


def test_what_the_version_before_has_and_this_one_has_not_stands_in_its_log_and_metadata(
    project: Project,
) -> None:
    for name in ("night", "travel"):
        project.add(name, rows())
        project.run(name)
    assert (told(cut(project))["lost"], told(cut(project))["lost_parts"]) == ([], 0)
    project.add("travel", leaking())
    run = project.run("travel").run_id[:8]
    result = cut(project)
    (entry,) = told(result)["lost"]
    assert (entry["simulation"], entry["whole"], told(result)["lost_parts"]) == ("travel", True, 1)
    log = [event.user_message for event in project.instance.all_logs(result.run_id)]
    assert (
        "v0002 has no travel, which v0001 had: training_rows was refused (privileged_leak) in run"
        f" {run}; this runs it again and says what helps: `whileai-export run travel`"
    ) in log
