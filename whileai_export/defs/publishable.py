"""Which published files may go into a version: those whose latest attempt passed."""

from __future__ import annotations

from collections.abc import Iterator

import dagster as dg
from dagster import DagsterEventType

from whileai_export.defs.dataset import Dataset
from whileai_export.defs.inputs import present_input
from whileai_export.defs.own_options import otherwise
from whileai_export.defs.resources import Folders
from whileai_export.defs.under_way import ENDED, meant, meant_of, overtaken, under_way
from whileai_export.pipeline.records import read_record
from whileai_export.shared.errors import SourceError
from whileai_export.versions import Part
from whileai_export.versions.parts import KINDS, Kind

#: Runs of a partition that are looked at, newest first, for the latest that meant an asset.
LOOKED_AT = 25
#: A run whose process was killed stays here.
_BEGUN = [dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.CANCELING]


def parts(instance: dg.DagsterInstance, dataset: Dataset, folders: Folders) -> Iterator[Part]:
    """Every partition of a dataset, once for its SFT rows and once for its pairs.

    Neither may go in while a run is at work on it: the other would be of another attempt.
    """
    busy = under_way(instance, dataset)
    for name in sorted(instance.get_dynamic_partitions(str(dataset.partitions.name))):
        now = _present(folders, name)
        half = _half_done(instance, dataset, name, busy.get(name))
        for kind in KINDS:
            try:
                problem = (
                    half or _refusal(folders, name, kind) or _crash(instance, dataset, name, kind)
                )
                folder, staged = folders.published(kind, name), folders.training_rows_report(name)
                yield Part(name, kind, folder, staged, problem, now, waits=name in busy)
            except SourceError as error:
                yield Part(name, kind, folders.home, problem=str(error))


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


def _half_done(
    instance: dg.DagsterInstance, dataset: Dataset, name: str, at_work: str | None
) -> str:
    """The run that has not ended and may have written one part of a simulation, not the other."""
    if at_work is not None:
        waits = "cut again when it has; one that was killed never does: run it again"
        return f"run {at_work[:8]} has not ended; {waits}"
    for run in instance.get_runs(dg.RunsFilter(tags={"dagster/partition": name}, statuses=_BEGUN)):
        assets = meant_of(instance, dataset, run)
        if assets and not overtaken(instance, run, assets):
            return f"run {run.run_id[:8]} was killed, or hangs: run it again"
    return ""


def _crash(instance: dg.DagsterInstance, dataset: Dataset, name: str, kind: Kind) -> str:
    """The latest run that ended and meant to write the files, if it did not."""
    key = dataset.key(f"{kind}_jsonl")
    asked = dg.RunsFilter(tags={"dagster/partition": name}, statuses=ENDED)
    for run in instance.get_runs(asked, limit=LOOKED_AT):
        if key not in meant(instance, run):
            continue
        if key in meant(instance, run, DagsterEventType.ASSET_MATERIALIZATION):
            return ""
        return f"{key.path[-1]}: its latest attempt, run {run.run_id[:8]}, did not pass"
    return ""
