"""The sensor leaves alone what a run is at work on."""

from __future__ import annotations

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
