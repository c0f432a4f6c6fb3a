"""What a run of the graph did, step by step, from its events and the reports on disk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import dagster as dg

from whileai_export.defs.defaults import ASSETS
from whileai_export.defs.resources import Folders
from whileai_export.defs.way_on import problem_of
from whileai_export.pipeline.records import read_record
from whileai_export.shared.errors import SourceError
from whileai_export.shared.project import Step


def outcomes(result: dg.ExecuteInProcessResult, folders: Folders, name: str) -> Iterator[Step]:
    """A step for each asset, in order."""
    written = {
        event.asset_key.path[-1]: event.step_materialization_data.materialization.metadata
        for event in result.get_asset_materialization_events()
        if event.asset_key
    }
    failures = {
        str(event.step_key).rpartition("__")[2]: event.step_failure_data
        for event in result.all_events
        if event.is_step_failure
    }
    for asset in ASSETS:
        if asset in written:
            report = _report(folders, asset, name) or _plain(written[asset])
            files = _files(folders, asset, report)
            yield Step(asset, "written", report, files, _quarantine(folders, asset, name, report))
        elif asset in failures:
            yield _failed(folders, asset, name, failures[asset], result.run_id)
        else:
            yield Step(asset, "not run")


def _failed(folders: Folders, asset: str, name: str, failure: Any, run_id: str) -> Step:
    said = failure.user_failure_data
    if said is None:
        error = failure.error.cause or failure.error
        return Step(asset, "crashed", problem=error.message.strip())
    try:
        refusal = read_record(folders.refusal(asset, name)) or {}
    except SourceError:  # a step that could leave no trace has said so
        refusal = {}
    if refusal.get("run_id") != run_id:
        return Step(asset, "refused", problem=problem_of(said.description), code="")
    code = refusal.get("code", "")
    return Step(
        asset,
        "refused",
        report=refusal if refusal.get("findings") else {},
        problem=problem_of(said.description),
        code="" if code == "source" else code,
    )


def _report(folders: Folders, asset: str, name: str) -> dict[str, Any] | None:
    return None if asset == "graded_simulations" else read_record(folders.report(asset, name))


def _files(folders: Folders, asset: str, report: Mapping[str, Any]) -> tuple[str, ...]:
    outputs = [Path(output["path"]) for output in report.get("outputs", ())]
    folder = folders.home if asset == "training_rows" else None
    return tuple(str(folder / path if folder else path) for path in outputs)


def _quarantine(folders: Folders, asset: str, name: str, report: Mapping[str, Any]) -> str:
    """Where the rows are that the step set aside; empty where it set none aside."""
    aside = asset == "training_rows" and report["counts"].get("quarantined")
    return str(folders.quarantine(name)) if aside else ""


def _plain(metadata: Mapping[str, dg.MetadataValue[Any]]) -> dict[str, Any]:
    return {key: value.value for key, value in metadata.items() if not key.startswith("dagster/")}
