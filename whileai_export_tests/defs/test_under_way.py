from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from whileai_export.defs import under_way as module
from whileai_export.defs.dataset import Dataset
from whileai_export.defs.executed import executed
from whileai_export.defs.under_way import this_process, under_way, waiting
from whileai_export_tests.defs.homes import Project, rows


def ran(project: Project, *only: str) -> str:
    project.add("night", rows())
    return project.run("night", *only).run_id


def at_work(project: Project) -> dict[str, str]:
    return under_way(project.instance, Dataset(project.name))


@pytest.mark.parametrize("status", ["NOT_STARTED", "QUEUED", "STARTING", "STARTED", "CANCELING"])
def test_a_run_that_has_not_ended_is_at_work_on_its_simulation(project: Project, status: str):
    project.add("night", rows())
    job = project.definitions.resolve_job_def("export_simulation")
    run = executed(job, project.instance, partition="night").run_id
    assert at_work(project) == {}
    project.unend(run, status)
    assert at_work(project) == {"night": run}
    assert waiting(at_work(project)) == "1 run has not ended: night"


def test_of_many_that_are_waited_for_some_are_named():
    busy = {f"n{n}": "run" for n in range(7)}
    assert waiting(busy) == "7 runs have not ended: n0, n1, n2, n3, n4 and 2 more"


def test_of_one_simulation_only_its_own_runs_are_asked_for(project: Project):
    run = ran(project)
    project.unend(run)
    assert under_way(project.instance, Dataset(), "night") == {"night": run}
    assert under_way(project.instance, Dataset(), "day") == {}


def test_the_run_of_another_dataset_or_of_a_version_is_none(make: Callable[..., Project]):
    project = make("support")
    project.unend(ran(project))
    assert under_way(project.instance, Dataset("billing")) == {}
    assert list(at_work(project)) == ["night"]


def test_a_run_of_one_step_is_one_too(project: Project):
    ran(project)
    run = project.run("night", "preference_jsonl").run_id
    project.unend(run)
    assert at_work(project) == {"night": run}


def test_a_run_that_was_overtaken_by_one_for_the_same_assets_counts_no_more(project: Project):
    project.unend(ran(project))
    project.run("night", "sft_jsonl")
    assert list(at_work(project)) == ["night"]
    project.run("night")
    assert at_work(project) == {}


@pytest.mark.parametrize(("hours", "counts"), [(5, True), (7, False)])
def test_a_run_that_hangs_counts_for_six_hours(
    project: Project, monkeypatch: pytest.MonkeyPatch, hours: int, counts: bool
):
    project.unend(ran(project))
    monkeypatch.setattr(module, "_now", lambda: datetime.now(UTC) + timedelta(hours=hours))
    assert bool(at_work(project)) is counts


def gone() -> int:
    """The number of a process that was there and is no more."""
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        return ended.pid


def test_a_run_whose_process_is_gone_counts_no_more(project: Project):
    run = ran(project)
    here = socket.gethostname()
    project.unend(run, whileai_export__process=f"{run} {here} {gone()}")
    assert at_work(project) == {}
    for said in (f"{run} elsewhere {gone()}", f"another {here} {gone()}", "nonsense"):
        project.unend(run, whileai_export__process=said)
        assert at_work(project) == {"night": run}


def test_a_run_whose_process_is_there_is_overtaken_by_none(project: Project):
    run = ran(project)
    project.unend(run, whileai_export__process=f"{run} {socket.gethostname()} {os.getpid()}")
    project.run("night")
    assert at_work(project) == {"night": run}


def test_what_the_command_line_runs_says_whose_process_it_is(project: Project):
    project.add("night", rows())
    job = project.definitions.resolve_job_def("export_simulation")
    run = executed(job, project.instance, partition="night").run_id
    said = this_process(run)
    assert said == {"whileai_export/process": f"{run} {socket.gethostname()} {os.getpid()}"}
    (found,) = project.instance.get_runs()
    assert said.items() <= found.tags.items()
