"""Which published files may go into a version: those whose latest attempt passed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import dagster as dg
from dagster import DagsterEventType

from whileai_export.defs.dataset import Dataset
from whileai_export.defs.inputs import present_input
from whileai_export.defs.own_options import otherwise
from whileai_export.defs.resources import Folders
from whileai_export.pipeline.records import read_record
from whileai_export.shared.errors import SourceError
from whileai_export.versions import Part
from whileai_export.versions.parts import KINDS, Kind

#: Runs of a partition that are looked at, newest first, for the latest that meant an asset.
LOOKED_AT = 25
#: A run whose process was killed stays here.
_UNDER_WAY = [dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.CANCELING]
_BEGUN = [
    *_UNDER_WAY,
    dg.DagsterRunStatus.SUCCESS,
    dg.DagsterRunStatus.FAILURE,
    dg.DagsterRunStatus.CANCELED,
]


def parts(instance: dg.DagsterInstance, dataset: Dataset, folders: Folders) -> Iterator[Part]:
    """Every partition of a dataset, once for its SFT rows and once for its pairs."""
    for name in sorted(instance.get_dynamic_partitions(str(dataset.partitions.name))):
        now = _present(folders, name)
        for kind in KINDS:
            try:
                yield replace(_part(instance, dataset, folders, name, kind), present=now)
            except SourceError as error:
                yield Part(name, kind, folders.home, problem=str(error))


def _part(
    instance: dg.DagsterInstance, dataset: Dataset, folders: Folders, name: str, kind: Kind
) -> Part:
    problem = _refusal(folders, name, kind) or _crash(instance, dataset, name, kind)
    folder, staged = folders.published(kind, name), folders.training_rows_report(name)
    return Part(name, kind, folder, staged, problem)


def _present(folders: Folders, name: str) -> dict[str, str] | None:
    """The simulation as it lies there now, if it does: what is published may outlive it."""
    try:
        return present_input(folders, name).identity()
    except (SourceError, OSError):
        return None


def _refusal(folders: Folders, name: str, kind: Kind) -> str:
    for asset in ("graded_simulations", "training_rows", f"{kind}_jsonl"):
        refusal = read_record(folders.refusal(asset, name))
        if refusal is not None:
            run = str(refusal.get("run_id"))[:8]
            said = f"{asset} was refused ({refusal.get('code')}) in run {run}"
            return said + otherwise(refusal, folders, asset, name)
    return ""


def _crash(instance: dg.DagsterInstance, dataset: Dataset, name: str, kind: Kind) -> str:
    """The latest run that was begun and meant to write the files, if it did not."""
    key = dataset.key(f"{kind}_jsonl")
    asked = dg.RunsFilter(tags={"dagster/partition": name}, statuses=_BEGUN)
    for run in instance.get_runs(asked, limit=LOOKED_AT):
        if not _has(instance, run, key, DagsterEventType.ASSET_MATERIALIZATION_PLANNED):
            continue
        if _has(instance, run, key, DagsterEventType.ASSET_MATERIALIZATION):
            return ""
        attempt = f"{key.path[-1]}: its latest attempt, run {run.run_id[:8]},"
        if run.status in _UNDER_WAY:
            return f"{attempt} has not ended; one that was killed never does: run it again"
        return f"{attempt} did not pass"
    return ""


def _has(
    instance: dg.DagsterInstance, run: dg.DagsterRun, key: dg.AssetKey, event: DagsterEventType
) -> bool:
    records = instance.get_records_for_run(run.run_id, of_type=event).records
    found = [r.event_log_entry.dagster_event for r in records]
    return any(event is not None and event.asset_key == key for event in found)
