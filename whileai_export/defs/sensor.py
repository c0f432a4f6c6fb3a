"""New and changed simulations are registered and exported without a hand."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

import dagster as dg

from whileai_export.defs.current import digests, standing
from whileai_export.defs.dataset import Dataset
from whileai_export.defs.fetched import asked_of_store
from whileai_export.defs.found import Found, simulations, untaken
from whileai_export.defs.inputs import SimulationInput, present_input
from whileai_export.defs.resources import Datasets, Folders
from whileai_export.defs.under_way import under_way, waiting
from whileai_export.shared.counted import counted
from whileai_export.shared.errors import ExportError
from whileai_export.shared.not_taken import not_taken

#: Simulations that one tick reads; the rest wait for the next.
A_TICK = 25
EVERY_SECONDS = 30


@dataclass(slots=True)
class Memory:
    """What earlier ticks saw, kept in the sensor's cursor."""

    marks: dict[str, str] = field(default_factory=dict)
    """Of each simulation the mark at the latest tick that looked at it."""
    latest: dict[str, str] = field(default_factory=dict)
    """Of each simulation the digest it was read under last, after how many others."""
    untaken: list[str] = field(default_factory=list)
    """The simulations of which it was told that no dataset takes them."""

    @classmethod
    def of(cls, cursor: str | None) -> "Memory":
        """The memory in a cursor; an empty one where it is none of ours."""
        try:
            known = json.loads(cursor or "{}")
            return cls(dict(known["marks"]), dict(known["latest"]), list(known["untaken"]))
        except (ValueError, KeyError, TypeError):
            return cls()

    def cursor(self) -> str:
        """The cursor that holds this memory."""
        return json.dumps(asdict(self), sort_keys=True)

    def ready(self, found: Found) -> bool:
        """Changed since it was read, and whole: or unchanged since the tick before."""
        before = self.marks.get(found.name)
        if before == f"read {found.mark}":
            return False
        self.marks[found.name] = found.mark
        return found.whole or before == found.mark

    def run_key(self, found: Found, now: SimulationInput) -> str | None:
        """The key of a run for these bytes; None where the latest run had them already."""
        self.marks[found.name] = f"read {found.mark}"
        before, _, digest = self.latest.get(found.name, "-1 ").partition(" ")
        if digest == now.digest[:12]:
            return None
        # A run key counts once for ever: bytes that come back, or other facts beside the same
        # bytes, are a new request.
        times = int(before) + 1
        self.latest[found.name] = f"{times} {now.digest[:12]}"
        return f"{found.name}:{now.sha256[:12]}" + (f":{times}" if times else "")


def new_simulations(dataset: Dataset) -> dg.SensorDefinition:
    """The sensor of one dataset."""

    @dg.sensor(
        name=dataset.named("new_simulations"),
        job_name=dataset.named("export_simulation"),
        default_status=dg.DefaultSensorStatus.RUNNING,
        minimum_interval_seconds=EVERY_SECONDS,
    )
    def sensor(context: dg.SensorEvaluationContext, datasets: Datasets) -> Any:
        """Registers simulations that were put under the home and asks for their export.

        Changed bytes ask again. What is still being written waits, and what a run is at work on,
        whoever started that; nothing is ever deleted.
        """
        folders = datasets.of(dataset.name)
        if dataset.options.store:
            return asked_of_store(dataset, folders, context, A_TICK)
        found, others = simulations(folders, dataset.options.simulations)
        for problem in others:
            context.log.warning(problem)
        memory = Memory.of(context.cursor)
        _tell_untaken(dataset, folders, memory, context)
        busy = under_way(context.instance, dataset)
        free = [entry for entry in found if entry.name not in busy]
        ready = [entry for entry in free if memory.ready(entry)][:A_TICK]
        requests = list(_requests(dataset, folders, memory, ready, context))
        known = set(context.instance.get_dynamic_partitions(str(dataset.partitions.name)))
        new = [entry.name for entry in ready if entry.name not in known]
        waits = f"; {waiting(busy)}" if busy else ""
        nothing = f"{counted(len(found), 'simulation')}, none new or changed{waits}"
        return dg.SensorResult(
            run_requests=requests,
            dynamic_partitions_requests=[dataset.partitions.build_add_request(new)] if new else [],
            cursor=memory.cursor(),
            skip_reason=None if requests else nothing,
        )

    return sensor


def _tell_untaken(
    dataset: Dataset, folders: Folders, memory: Memory, context: dg.SensorEvaluationContext
) -> None:
    """Name the simulations that no dataset takes, once; in the log of the first dataset alone."""
    patterns = dataset.options.patterns
    names = untaken(folders, patterns) if patterns else []
    if set(names) - set(memory.untaken):
        context.log.warning(not_taken(names, patterns))
    memory.untaken = names


def _requests(
    dataset: Dataset,
    folders: Folders,
    memory: Memory,
    ready: list[Found],
    context: dg.SensorEvaluationContext,
) -> Iterator[dg.RunRequest]:
    configured = digests(dataset, folders)
    for entry in ready:
        try:
            now = present_input(folders, entry.name)
        except (ExportError, OSError) as error:
            context.log.warning(f"{entry.name} waits: {error}")
            continue
        key = memory.run_key(entry, now)
        if key and standing(folders, entry.name, now, configured) == "due":
            yield dg.RunRequest(run_key=key, partition_key=entry.name)
