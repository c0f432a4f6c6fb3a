"""The sensor leaves alone what a run is at work on, and names what no dataset takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dagster as dg

from whileai_export.defs.dataset import Dataset, DatasetOptions
from whileai_export.defs.resources import Datasets
from whileai_export.defs.sensor import new_simulations
from whileai_export_tests.defs.homes import Project, rows
from whileai_export_tests.defs.test_sensor import Watcher, sha


def test_what_a_run_is_at_work_on_is_not_asked_for_and_then_only_if_it_is_due(project: Project):
    for name in ("day", "night"):
        project.add(name, rows())
        project.unend(project.run(name).run_id)
    project.add("day", rows(5))
    watcher = Watcher(project)
    said = watcher.tick()
    assert said.run_requests == []
    assert said.skip_reason is not None
    assert said.skip_reason.skip_message == (
        "2 simulations, none new or changed; 2 runs have not ended: night, day"
    )
    for run in project.instance.get_runs():
        project.unend(run.run_id, "SUCCESS")
    assert watcher.asked() == [f"day:{sha(project, 'day')}"]
    assert watcher.asked() == []


def test_a_run_of_another_simulation_is_not_waited_for(project: Project):
    project.add("day", rows())
    project.unend(project.run("day").run_id)
    project.add("night", rows())
    assert Watcher(project).asked() == [f"night:{sha(project, 'night')}"]


def logged(project: Project, dataset: Dataset, cursor: str | None) -> tuple[list[str], str]:
    with dg.build_sensor_context(
        instance=project.instance,
        cursor=cursor,
        resources={"datasets": Datasets(home=str(project.home))},
    ) as context:
        told: list[str] = []
        context.log.warning = told.append  # type: ignore[method-assign]
        result: Any = new_simulations(dataset)(context)
    return told, result.cursor


def test_simulations_that_no_dataset_takes_are_named_once_by_the_first(
    make: Callable[..., Project],
):
    options = DatasetOptions(simulations="s-*", patterns=("s-*", "b-*"))
    project = make("support", options)
    for name in ("s-1", "b-1", "travel"):
        project.add(name, rows(1))
    said = (
        "no dataset takes {}: export.toml names s-*, b-*; a wider `simulations` there,"
        " or a [dataset.NAME] of their own, exports them"
    )
    told, cursor = logged(project, Dataset("support", options), None)
    assert told == [said.format("travel")]
    told, cursor = logged(project, Dataset("support", options), cursor)
    assert told == []
    project.add("hotel", rows(1))
    told, _ = logged(project, Dataset("support", options), cursor)
    assert told == [said.format("hotel, travel")]
    told, _ = logged(project, Dataset("billing", DatasetOptions(simulations="b-*")), None)
    assert told == []
