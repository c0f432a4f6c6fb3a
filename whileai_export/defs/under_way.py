"""Runs that have not ended, whoever started them: what they write is not looked at meanwhile."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import dagster as dg
from dagster import DagsterEventType

from whileai_export.defs.dataset import Dataset
from whileai_export.defs.defaults import ASSETS
from whileai_export.shared.counted import counted

#: After so long without a change of its status a run hangs, or was killed where nobody sees it.
HUNG_AFTER = timedelta(hours=6)
#: Whose process a run is: the run, the machine, the process.
PROCESS_TAG = "whileai_export/process"

#: Simulations that are named; the rest are counted.
NAMED = 5

_PARTITION = "dagster/partition"
ENDED = [
    dg.DagsterRunStatus.SUCCESS,
    dg.DagsterRunStatus.FAILURE,
    dg.DagsterRunStatus.CANCELED,
]
_NOT_ENDED = [
    dg.DagsterRunStatus.NOT_STARTED,
    dg.DagsterRunStatus.QUEUED,
    dg.DagsterRunStatus.STARTING,
    dg.DagsterRunStatus.STARTED,
    dg.DagsterRunStatus.CANCELING,
]


def under_way(
    instance: dg.DagsterInstance, dataset: Dataset, name: str | None = None
) -> dict[str, str]:
    """The simulations that a run of the dataset is at work on, each with the id of that run.

    A killed run never ends. It counts no more where its process is known to be gone, where a
    later one has ended that meant the same assets, or once it is ``HUNG_AFTER``.
    """
    tags = {_PARTITION: name} if name else {}
    since = _now() - HUNG_AFTER
    asked = dg.RunsFilter(tags=tags, statuses=_NOT_ENDED, updated_after=since)
    found: dict[str, str] = {}
    for run in instance.get_runs(asked):
        simulation = run.tags.get(_PARTITION)
        if simulation and _is_at_work(instance, dataset, run):
            found.setdefault(simulation, run.run_id)
    return found


def waiting(busy: Mapping[str, str]) -> str:
    """What is waited for, in half a line."""
    names = list(busy)
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    runs = counted(len(names), "run has", "runs have")
    return f"{runs} not ended: {', '.join(names[:NAMED])}{more}"


def this_process(run_id: str) -> dict[str, str]:
    """The tag by which others see whether the process of a run is still there.

    It names the run too: whoever executes that again copies the tags, and is another process.
    """
    return {PROCESS_TAG: f"{run_id} {socket.gethostname()} {os.getpid()}"}


def meant(
    instance: dg.DagsterInstance,
    run: dg.DagsterRun,
    event: DagsterEventType = DagsterEventType.ASSET_MATERIALIZATION_PLANNED,
) -> set[dg.AssetKey]:
    """The assets that a run was begun for; by another event those of which it has that one."""
    records = instance.get_records_for_run(run.run_id, of_type=event).records
    found = [record.event_log_entry.dagster_event for record in records]
    return {said.asset_key for said in found if said is not None and said.asset_key is not None}


def meant_of(
    instance: dg.DagsterInstance, dataset: Dataset, run: dg.DagsterRun
) -> set[dg.AssetKey]:
    """The assets of a dataset that a run was begun for; of ``dataset_version`` none counts."""
    return meant(instance, run) & {dataset.key(asset) for asset in ASSETS}


def overtaken(instance: dg.DagsterInstance, run: dg.DagsterRun, assets: set[dg.AssetKey]) -> bool:
    """Whether a later run that meant the same assets has ended already."""
    asked = dg.RunsFilter(tags={_PARTITION: run.tags[_PARTITION]})
    for other in instance.get_runs(asked):
        if other.run_id == run.run_id:
            return False
        if other.status in ENDED and assets <= meant(instance, other):
            return True
    return False


def _is_at_work(instance: dg.DagsterInstance, dataset: Dataset, run: dg.DagsterRun) -> bool:
    assets = meant_of(instance, dataset, run)
    there = _process_is_there(run)
    if not assets or there is False:
        return False
    return there is True or not overtaken(instance, run, assets)


def _process_is_there(run: dg.DagsterRun) -> bool | None:
    """None where nobody can tell from here."""
    said, _, number = run.tags.get(PROCESS_TAG, "").rpartition(" ")
    if said != f"{run.run_id} {socket.gethostname()}":
        return None
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _now() -> datetime:
    return datetime.now(UTC)
