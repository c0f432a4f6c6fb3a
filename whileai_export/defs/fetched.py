"""Simulations of a dataset that lie at a URL: noticed by the sensor, fetched by the run."""

from __future__ import annotations

import json
from fnmatch import fnmatchcase
from typing import Any

import dagster as dg

from whileai_export.defs.current import digests, standing
from whileai_export.defs.dataset import Dataset
from whileai_export.defs.inputs import StaleInput, present_input
from whileai_export.defs.resources import Folders
from whileai_export.defs.under_way import under_way, waiting
from whileai_export.pipeline.store import bring, brought, listed
from whileai_export.shared.counted import counted
from whileai_export.shared.errors import ExportError, SourceError
from whileai_export.shared.plain_name import plain_name


def fetch(dataset: Dataset, folders: Folders, name: str) -> None:
    """Bring a simulation under the home as it is now; of a dataset without a store, nothing."""
    if dataset.options.store is None:
        return
    try:
        bring(dataset.options.store, name, folders.simulation(name))
    except ExportError as error:
        # Not remembered as a refusal of these bytes: there are none.
        raise StaleInput(str(error)) from None


def asked_of_store(
    dataset: Dataset, folders: Folders, context: dg.SensorEvaluationContext, a_tick: int
) -> dg.SensorResult | dg.SkipReason:
    """Requests for what is new or changed in the store since the tick before.

    What a run is at work on waits; then it is asked for only if that run had other bytes.
    """
    known = _known(context.cursor)
    try:
        found = _taken(dataset, context)
    except ExportError as error:
        return dg.SkipReason(str(error))
    busy = under_way(context.instance, dataset)
    free = {name: mark for name, mark in found.items() if name not in busy}
    fresh = [name for name, mark in free.items() if known.get(name) != mark][:a_tick]
    known.update((name, found[name]) for name in fresh)
    registered = context.instance.get_dynamic_partitions(str(dataset.partitions.name))
    new = [name for name in fresh if name not in registered]
    waits = f"; {waiting(busy)}" if busy else ""
    due = [name for name in fresh if _is_due(dataset, folders, name, found[name])]
    return dg.SensorResult(
        run_requests=[
            dg.RunRequest(run_key=f"{name}:{found[name][:12]}", partition_key=name) for name in due
        ],
        dynamic_partitions_requests=[dataset.partitions.build_add_request(new)] if new else [],
        cursor=json.dumps(known, sort_keys=True),
        skip_reason=None
        if due
        else f"{counted(len(found), 'simulation')}, none new or changed{waits}",
    )


def _is_due(dataset: Dataset, folders: Folders, name: str, mark: str) -> bool:
    """Whether what has that mark was never exported, or must be again."""
    try:
        if not brought(str(dataset.options.store), mark, folders.simulation(name)):
            return True
        now = present_input(folders, name)
        return standing(folders, name, now, digests(dataset, folders)) == "due"
    except (ExportError, OSError):
        return True


def _taken(dataset: Dataset, context: dg.SensorEvaluationContext) -> dict[str, str]:
    """The simulations in the store whose names the dataset takes."""
    taken = {}
    for name, mark in listed(str(dataset.options.store)).items():
        if not name.startswith(".") and fnmatchcase(name, dataset.options.simulations):
            try:
                taken[plain_name(name)] = mark
            except SourceError as error:
                context.log.warning(str(error))
    return taken


def _known(cursor: str | None) -> dict[str, Any]:
    try:
        found = json.loads(cursor or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
