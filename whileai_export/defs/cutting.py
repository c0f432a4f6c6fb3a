"""A version cut here and now, by the job that the night uses, on the persistent instance."""

from __future__ import annotations

from typing import Any

import dagster as dg

from whileai_export.defs.dataset import Dataset
from whileai_export.defs.executed import executed
from whileai_export.defs.factory import pipeline
from whileai_export.defs.resources import Datasets, Folders
from whileai_export.shared.errors import SourceError
from whileai_export.shared.schema import JsonObject
from whileai_export.versions import Shelf
from whileai_export.versions.manifest import read_manifest


def version_of(dataset: Dataset, datasets: Datasets, instance: dg.DagsterInstance) -> JsonObject:
    """The version that the job ``cut_version`` made; ``problem`` says why there is none."""
    job = pipeline(dataset.name, dataset.options, datasets).resolve_job_def(
        dataset.named("cut_version")
    )
    result = executed(job, instance)
    told: JsonObject = {"dataset": dataset.name, "run_id": result.run_id, "problem": ""}
    for event in result.get_asset_materialization_events():
        metadata = event.step_materialization_data.materialization.metadata
        told |= _version(Shelf.of(datasets.of().home, dataset.name), metadata)
        told["gone"] = [] if dataset.options.store else _gone(datasets.of(), told["taken"])
    told["problem"] = "; ".join([*_failures(result), *_red(result)])
    return told


def _gone(folders: Folders, taken: list[JsonObject]) -> list[str]:
    """The simulations that went in as they were published, though they are there no more."""
    names = sorted({entry["simulation"] for entry in taken})
    return [name for name in names if not _is_there(folders, name)]


def _is_there(folders: Folders, name: str) -> bool:
    try:
        return folders.simulation(name).exists()
    except SourceError:  # more than one, or one that cannot be read
        return True


def _version(shelf: Shelf, metadata: Any) -> JsonObject:
    name = str(metadata["version"].value)
    manifest = read_manifest(shelf.folder(name))
    return {
        "version": name,
        "new": metadata["new"].value,
        "folder": str(shelf.folder(name)),
        "rows": metadata["rows"].value,
        "pairs": metadata["pairs"].value,
        "taken": [
            {"simulation": entry["simulation"], "kind": kind, "rows": step["rows"]}
            for entry in manifest["inputs"]
            for kind, step in entry["steps"].items()
            if kind != "training_rows"
        ],
        "parent": manifest["parent"],
        "lost": metadata["lost"].value,
        "lost_parts": metadata["lost_parts"].value,
        "left_out": metadata["left_out"].value,
        "newer_input": metadata["newer_input"].value,
    }


def _failures(result: dg.ExecuteInProcessResult) -> list[str]:
    failed = [event.step_failure_data for event in result.all_events if event.is_step_failure]
    return [
        str(data.user_failure_data.description)
        if data.user_failure_data
        else str(data.error and (data.error.cause or data.error).message).strip()
        for data in failed
    ]


def _red(result: dg.ExecuteInProcessResult) -> list[str]:
    checks = result.get_asset_check_evaluations()
    return [f"{check.check_name}: {check.description}" for check in checks if not check.passed]
