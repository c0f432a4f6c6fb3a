from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import dagster as dg
import pytest

from whileai_export.defs.executed import LOCATION, MODULE, executed
from whileai_export_tests.defs.homes import Project, rows

ROOT = Path(__file__).parents[2]


def run_of(project: Project, name: str) -> dg.DagsterRun:
    """The run on record after the graph was executed for one simulation."""
    job = project.definitions.resolve_job_def("export_simulation")
    result = executed(job, project.instance, partition=name)
    run = project.instance.get_run_by_id(result.run_id)
    assert run is not None
    return run


def test_the_pages_list_a_run_under_the_job_that_they_know(project: Project):
    project.add("night", rows())
    run = run_of(project, "night")
    asked = dg.RunsFilter(
        job_name="export_simulation",
        tags={".dagster/repository": "__repository__@whileai_export"},
    )
    assert [found.run_id for found in project.instance.get_runs(asked)] == [run.run_id]
    assert run.tags["dagster/partition"] == "night"


def test_the_timeline_and_whoever_runs_it_again_find_where_it_came_from(project: Project):
    project.add("night", rows())
    origin = run_of(project, "night").remote_job_origin
    assert origin is not None
    assert (origin.job_name, origin.location_name) == ("export_simulation", "whileai_export")
    assert origin.repository_origin.repository_name == "__repository__"


def test_a_run_that_failed_is_on_record_as_failed(project: Project):
    project.register("night")
    run = run_of(project, "night")
    assert (run.status, run.remote_job_origin is None) == (dg.DagsterRunStatus.FAILURE, False)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_the_run_on_record_and_lets_nobody_begin_the_next(
    project: Project, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
):
    def interrupted(*_: object, **__: object) -> None:
        os.kill(os.getpid(), number)
        time.sleep(5)

    monkeypatch.setattr("whileai_export.defs.graded_simulations.present_input", interrupted)
    project.add("night", rows())
    with pytest.raises(KeyboardInterrupt):
        run_of(project, "night")
    (run,) = project.instance.get_runs()
    assert (run.status, run.remote_job_origin is None) == (dg.DagsterRunStatus.FAILURE, False)


def test_the_workspace_calls_the_project_by_the_same_names():
    workspace = (ROOT / "workspace.yaml").read_text("utf-8")
    assert f"module_name: {MODULE}\n" in workspace
    assert f"location_name: {LOCATION}\n" in workspace
