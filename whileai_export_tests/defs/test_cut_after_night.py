from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import dagster as dg
import pytest
from dagster._core.remote_origin import (
    RegisteredCodeLocationOrigin,
    RemoteInstigatorOrigin,
    RemoteRepositoryOrigin,
)
from dagster._core.scheduler.instigation import (
    InstigatorState,
    InstigatorStatus,
    InstigatorTick,
    InstigatorType,
    ScheduleInstigatorData,
    TickData,
    TickStatus,
)

from whileai_export.defs import cut_after_night as module
from whileai_export.defs import under_way
from whileai_export.defs.cut_after_night import cut_after_night, last_night
from whileai_export.defs.dataset import Dataset
from whileai_export_tests.defs.homes import Project, rows


def night(status: TickStatus, *run_ids: str) -> InstigatorTick:
    return InstigatorTick(
        1,
        TickData(
            instigator_origin_id="origin",
            instigator_name="nightly",
            instigator_type=InstigatorType.SCHEDULE,
            status=status,
            timestamp=1_000_000.0,
            run_ids=list(run_ids),
        ),
    )


def asked(project: Project, monkeypatch: pytest.MonkeyPatch, tick: InstigatorTick | None) -> Any:
    monkeypatch.setattr(module, "last_night", lambda instance, schedule: tick)
    with dg.build_sensor_context(instance=project.instance) as context:
        return cut_after_night(Dataset())(context)


def test_a_night_whose_exports_have_ended_asks_for_one_cut(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.add("night", rows())
    run = project.run("night").run_id
    first = asked(project, monkeypatch, night(TickStatus.SUCCESS, run))
    again = asked(project, monkeypatch, night(TickStatus.SUCCESS, run))
    assert (first.run_key, again.run_key) == ("night 1000000", "night 1000000")


def test_a_night_in_which_nothing_was_due_asks_too(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert asked(project, monkeypatch, night(TickStatus.SKIPPED)).run_key == "night 1000000"


def test_exports_that_have_not_ended_are_waited_for_whoever_started_them(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("day", "night"):
        project.add(name, rows())
        project.run(name)
    latest = project.instance.get_runs()[0].run_id
    project.unend(latest)
    said = asked(project, monkeypatch, night(TickStatus.SUCCESS))
    assert said.skip_message == "1 run has not ended: night"
    project.unend(latest, "SUCCESS")
    assert asked(project, monkeypatch, night(TickStatus.SUCCESS)).run_key == "night 1000000"


def test_an_export_that_hangs_is_not_waited_for_longer_than_six_hours(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.add("night", rows())
    project.unend(project.run("night").run_id)
    later = datetime.now(UTC) + timedelta(hours=5, minutes=59)
    monkeypatch.setattr(under_way, "_now", lambda: later)
    said = asked(project, monkeypatch, night(TickStatus.SUCCESS))
    assert said.skip_message == "1 run has not ended: night"
    monkeypatch.setattr(under_way, "_now", lambda: later + timedelta(minutes=2))
    assert asked(project, monkeypatch, night(TickStatus.SUCCESS)).run_key == "night 1000000"


def test_a_night_that_is_not_whole_is_waited_for(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = asked(project, monkeypatch, night(TickStatus.STARTED))
    assert said.skip_message == "the night is started"


def test_the_latest_night_is_read_from_the_instance(lasting: Project) -> None:
    state = InstigatorState(
        RemoteInstigatorOrigin(
            RemoteRepositoryOrigin(RegisteredCodeLocationOrigin("whileai_export"), "repository"),
            "nightly",
        ),
        InstigatorType.SCHEDULE,
        InstigatorStatus.RUNNING,
        ScheduleInstigatorData("0 2 * * *", 0.0),
    )
    lasting.instance.add_instigator_state(state)
    for timestamp in (1_000_000.0, 1_086_400.0):
        lasting.instance.create_tick(
            TickData(
                instigator_origin_id=state.instigator_origin_id,
                instigator_name="nightly",
                instigator_type=InstigatorType.SCHEDULE,
                status=TickStatus.SKIPPED,
                timestamp=timestamp,
                selector_id=state.selector_id,
            )
        )
    found = last_night(lasting.instance, "nightly")
    assert found is not None
    assert (found.timestamp, found.status) == (1_086_400.0, TickStatus.SKIPPED)
    assert last_night(lasting.instance, "support_nightly") is None
    with dg.build_sensor_context(instance=lasting.instance) as context:
        assert cut_after_night(Dataset())(context).run_key == "night 1086400"


def test_an_instance_that_keeps_no_ticks_has_had_no_night(project: Project) -> None:
    assert project.instance.schedule_storage is None
    assert last_night(project.instance, "nightly") is None


def test_before_the_first_night_nothing_is_asked(lasting: Project) -> None:
    assert last_night(lasting.instance, "nightly") is None
    with dg.build_sensor_context(instance=lasting.instance) as context:
        said = cut_after_night(Dataset())(context)
    assert said.skip_message == "no night has come yet"


def test_every_dataset_has_its_own() -> None:
    sensor = cut_after_night(Dataset("support"))
    assert (sensor.name, sensor.job_name) == ("support_cut_after_night", "support_cut_version")
