"""A home at a glance: where every simulation stands in each dataset, what is published of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import dagster as dg

from whileai_export.defs.dataset import Dataset
from whileai_export.defs.found import names_under, untaken
from whileai_export.defs.judged import DUE, Judge
from whileai_export.defs.own_options import of_latest_attempt
from whileai_export.defs.resources import Datasets, Folders
from whileai_export.pipeline.records import read_record
from whileai_export.shared.errors import SourceError
from whileai_export.shared.project import Standing
from whileai_export.versions.parts import KINDS


def standings(
    instance: dg.DagsterInstance, datasets: Sequence[Dataset], resource: Datasets
) -> Iterator[Standing]:
    """Every simulation of every dataset, then those that none takes."""
    for dataset in datasets:
        folders = resource.of(dataset.name)
        judge = Judge.of(instance, dataset, folders)
        for name in _names(instance, dataset, folders):
            yield _standing(judge, dataset, folders, name)
    patterns = [dataset.options.simulations for dataset in datasets]
    for name in untaken(resource.of(), patterns):
        yield Standing(name, None, "not taken", "by any dataset of export.toml")


def _names(instance: dg.DagsterInstance, dataset: Dataset, folders: Folders) -> list[str]:
    """Those that are registered, and those under the home that only wait to be."""
    pattern = dataset.options.simulations
    under = [] if dataset.options.store else names_under(folders)
    waiting = {name for name in under if fnmatchcase(name, pattern)}
    return sorted(waiting | {*instance.get_dynamic_partitions(str(dataset.partitions.name))})


def _standing(judge: Judge, dataset: Dataset, folders: Folders, name: str) -> Standing:
    try:
        state, why = judge(name)
        reports = {kind: _published(folders, kind, name) for kind in KINDS}
        own = of_latest_attempt(folders, name)
    except SourceError as error:  # a name that is no plain one
        return Standing(name, dataset.name, "unreadable", str(error))
    written = [path for kind in KINDS if (path := _report(folders, kind, name)).is_file()]
    return Standing(
        name,
        dataset.name,
        state,
        why,
        state in DUE,
        _latest(written),
        reports["sft"].get("counts", {}).get("written"),
        reports["preference"].get("pairs"),
        own,
    )


def _report(folders: Folders, kind: str, name: str) -> Path:
    return folders.report(f"{kind}_jsonl", name)


def _published(folders: Folders, kind: str, name: str) -> dict[str, Any]:
    report = _report(folders, kind, name)
    with suppress(SourceError):  # a damaged one is as good as none: a night writes it again
        return read_record(report) or {}
    return {}


def _latest(written: list[Path]) -> str | None:
    times = [path.stat().st_mtime for path in written]
    return datetime.fromtimestamp(max(times), UTC).isoformat(timespec="seconds") if times else None
