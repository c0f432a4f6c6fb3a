"""Every night what is not current is exported; what a gate refused waits for a change."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import dagster as dg

from whileai_export.defs.dataset import Dataset
from whileai_export.defs.judged import DUE, Judge
from whileai_export.defs.resources import Datasets
from whileai_export.shared.counted import agreeing, counted
from whileai_export.shared.project import State

#: Names in a reason to skip; the rest are counted.
NAMED = 5


def nightly(dataset: Dataset) -> dg.ScheduleDefinition:
    """The schedule of one dataset."""

    @dg.schedule(
        name=dataset.named("nightly"),
        job_name=dataset.named("export_simulation"),
        cron_schedule=dataset.options.nightly.cron,
        execution_timezone=dataset.options.nightly.timezone,
        default_status=dg.DefaultScheduleStatus.STOPPED,
    )
    def schedule(context: dg.ScheduleEvaluationContext, datasets: Datasets) -> Any:
        """Exports every registered simulation whose files are not current.

        Current: of the present bytes, the configured options and this code. A refusal of the
        same three is not tried again; a crash is. What a run is at work on is left to that run.
        """
        folders = datasets.of(dataset.name)
        names = context.instance.get_dynamic_partitions(str(dataset.partitions.name))
        judge = Judge.of(context.instance, dataset, folders)
        found = {name: judge(name)[0] for name in sorted(names)}
        due = [name for name, state in found.items() if state in DUE]
        if not due:
            return dg.SkipReason(reason(found))
        night = context.scheduled_execution_time.isoformat()
        return [
            dg.RunRequest(run_key=f"{night}:{name}", partition_key=name, tags={"night": night})
            for name in due
        ]

    return schedule


def reason(found: Mapping[str, State]) -> str:
    """Why nothing is exported tonight."""
    if not found:
        return "no simulation is registered"
    counts = Counter(found.values())
    current, whole = counts["current"], counted(len(found), "simulation")
    said = [f"{current} of {whole} {agreeing(current, 'is', 'are')} current"]
    for state in ("running", "refused", "gone", "unreadable"):
        names = [name for name, other in found.items() if other == state]
        if names:
            more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
            said.append(f"{state}: {', '.join(names[:NAMED])}{more}")
    return "; ".join(said)
