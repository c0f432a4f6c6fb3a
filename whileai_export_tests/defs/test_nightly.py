from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import dagster as dg

from whileai_export.defs.choices import Layer
from whileai_export.defs.dataset import Dataset, DatasetOptions, Nightly
from whileai_export.defs.nightly import nightly, reason
from whileai_export.defs.resources import Datasets
from whileai_export_tests.defs.homes import Project, leaking, rows

NIGHT = datetime(2026, 5, 4, 2, tzinfo=UTC)


def decided(project: Project, **options: object) -> Any:
    layers = (Layer("[defaults]", options),) if options else ()
    schedule = nightly(Dataset(None, DatasetOptions(layers)))
    with dg.build_schedule_context(
        instance=project.instance,
        scheduled_execution_time=NIGHT,
        resources={"datasets": Datasets(home=str(project.home))},
    ) as context:
        return schedule(context)


def test_what_is_not_current_is_exported(lasting: Project):
    for name in ("new", "done"):
        lasting.add(name, rows())
    lasting.run("done")
    requests = decided(lasting)
    assert [(request.partition_key, request.run_key) for request in requests] == [
        ("new", "2026-05-04T02:00:00+00:00:new")
    ]


def test_a_refusal_is_not_retried_and_is_named(lasting: Project):
    lasting.add("good", rows())
    lasting.add("leaky", leaking())
    lasting.register("vanished")
    for name in ("good", "leaky"):
        lasting.run(name)
    skipped = decided(lasting)
    assert skipped.skip_message == ("1 of 3 simulations is current; refused: leaky; gone: vanished")


def test_what_a_run_is_at_work_on_is_left_to_that_run(lasting: Project):
    lasting.add("night", rows())
    lasting.unend(lasting.run("night").run_id)
    lasting.add("night", rows(5))
    assert decided(lasting).skip_message == "0 of 1 simulation are current; running: night"


def test_a_crash_is_tried_again(lasting: Project):
    lasting.add("night", rows())
    lasting.unend(lasting.run("night").run_id, "FAILURE")
    assert [request.partition_key for request in decided(lasting)] == ["night"]


def test_one_that_was_never_fetched_from_its_store_is_exported(lasting: Project):
    lasting.register("night-1")
    schedule = nightly(Dataset(None, DatasetOptions(store="memory://bucket")))
    with dg.build_schedule_context(
        instance=lasting.instance,
        scheduled_execution_time=NIGHT,
        resources={"datasets": Datasets(home=str(lasting.home))},
    ) as context:
        requests: Any = schedule(context)
    assert [request.partition_key for request in requests] == ["night-1"]


def test_changed_options_export_again(lasting: Project):
    lasting.add("night", rows())
    lasting.run("night")
    assert isinstance(decided(lasting), dg.SkipReason)
    assert [request.partition_key for request in decided(lasting, min_reward=0.9)] == ["night"]


def test_it_is_off_until_somebody_switches_it_on():
    schedule = nightly(Dataset("support", DatasetOptions(nightly=Nightly("30 3 * * *", "UTC"))))
    assert schedule.default_status == dg.DefaultScheduleStatus.STOPPED
    assert (schedule.name, schedule.cron_schedule, schedule.execution_timezone) == (
        "support_nightly",
        "30 3 * * *",
        "UTC",
    )


def test_the_reason_names_a_few_and_counts_the_rest():
    assert reason({}) == "no simulation is registered"
    assert reason({f"n{n}": "refused" for n in range(7)}) == (
        "0 of 7 simulations are current; refused: n0, n1, n2, n3, n4 and 2 more"
    )
