"""When the exports of a night have ended, a version is cut of what stands published then."""

from typing import Any

import dagster as dg
from dagster._core.scheduler.instigation import InstigatorTick, InstigatorType, TickStatus

from whileai_export.defs.dataset import Dataset
from whileai_export.defs.under_way import under_way, waiting

INTERVAL = 60


def cut_after_night(dataset: Dataset) -> dg.SensorDefinition:
    """The sensor of one dataset. It is on, and does nothing while ``nightly`` is off."""

    @dg.sensor(
        name=dataset.named("cut_after_night"),
        job_name=dataset.named("cut_version"),
        minimum_interval_seconds=INTERVAL,
        default_status=dg.DefaultSensorStatus.RUNNING,
    )
    def sensor(context: dg.SensorEvaluationContext) -> Any:
        """Asks for a version once for every night, also for one in which nothing was due.

        It waits while any export of the dataset has not ended, whoever started that; one that
        hangs, no longer than ``HUNG_AFTER``. Whoever restarts the daemon loses no night.
        """
        night = last_night(context.instance, dataset.named("nightly"))
        if night is None:
            return dg.SkipReason("no night has come yet")
        if night.status not in (TickStatus.SUCCESS, TickStatus.SKIPPED):
            return dg.SkipReason(f"the night is {night.status.value.lower()}")
        busy = under_way(context.instance, dataset)
        if busy:
            return dg.SkipReason(waiting(busy))
        return dg.RunRequest(run_key=f"night {int(night.timestamp)}")

    return sensor


def last_night(instance: dg.DagsterInstance, schedule: str) -> InstigatorTick | None:
    """The latest time that a schedule came round; none on an instance that keeps no ticks."""
    if instance.schedule_storage is None:
        return None
    ticks = [
        tick
        for state in instance.all_instigator_state(instigator_type=InstigatorType.SCHEDULE)
        if state.instigator_name == schedule
        for tick in instance.get_ticks(state.instigator_origin_id, state.selector_id, limit=1)
    ]
    return max(ticks, key=lambda tick: tick.timestamp, default=None)
