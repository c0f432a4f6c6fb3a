"""Every night what is not current is exported; what a gate refused waits for a change."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import dagster as dg

from whileai_export.defs.current import digests, standing
from whileai_export.defs.dataset import Dataset
from whileai_export.defs.inputs import present_input
from whileai_export.defs.resources import Datasets, Folders
from whileai_export.shared.counted import agreeing, counted
from whileai_export.shared.errors import ExportError

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
        same three is not tried again; a crash is.
        """
        folders = datasets.of(dataset.name)
        names = context.instance.get_dynamic_partitions(str(dataset.partitions.name))
        configured = digests(dataset, folders)
        found = {name: _standing(folders, name, configured) for name in sorted(names)}
        wanted = ("due", "gone") if dataset.options.store else ("due",)
        due = [name for name, state in found.items() if state in wanted]
        if not due:
            return dg.SkipReason(reason(found))
        night = context.scheduled_execution_time.isoformat()
        return [
            dg.RunRequest(run_key=f"{night}:{name}", partition_key=name, tags={"night": night})
            for name in due
        ]

    return schedule


def reason(found: dict[str, str]) -> str:
    """Why nothing is exported tonight."""
    if not found:
        return "no simulation is registered"
    counts = Counter(found.values())
    current, whole = counts["current"], counted(len(found), "simulation")
    said = [f"{current} of {whole} {agreeing(current, 'is', 'are')} current"]
    for state in ("refused", "gone"):
        names = [name for name, other in found.items() if other == state]
        if names:
            more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
            said.append(f"{state}: {', '.join(names[:NAMED])}{more}")
    return "; ".join(said)


def _standing(folders: Folders, name: str, configured: Mapping[str, str]) -> str:
    try:
        now = present_input(folders, name)
    except (ExportError, OSError):
        return "gone"
    return standing(folders, name, now, configured)
