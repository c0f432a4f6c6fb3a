"""The write path: gates passed, the set of files is renamed in; refused, nothing is touched."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import dagster as dg

from whileai_export.defs.checks import gate_results, has_rows
from whileai_export.defs.columns import column_metadata
from whileai_export.defs.held_out import held_out
from whileai_export.defs.inputs import Upstream
from whileai_export.defs.metadata import file_metadata, report_metadata
from whileai_export.defs.preview import preview
from whileai_export.defs.step import Report, Step
from whileai_export.pipeline.card import folder_card
from whileai_export.pipeline.outcome import Outcome
from whileai_export.pipeline.records import record_bytes
from whileai_export.shared.errors import ExportError
from whileai_export.shared.watching import watcher_of

AssetEvent: TypeAlias = dg.AssetCheckResult | dg.MaterializeResult[Any]


def written_rows(step: Step[Any], outcome: Outcome, upstream: Upstream) -> Iterator[AssetEvent]:
    """Put the private canonical rows in place, their report last."""
    upstream.expect(outcome.report["source"]["sha256"])
    report = step.report(outcome.report, upstream)
    if outcome.refusal is not None:
        yield from refused(step, outcome.refusal, report)
    last = step.folders.training_rows_report(step.name)
    outcome.add(last, record_bytes(report), private=True)
    outcome.publish(last=last)
    step.forget_refusal()
    yield materialized(step, report, gate_results(step.asset, report, refused=False))


def exported(step: Step[Any], kind: str, write: Callable[..., Outcome]) -> Iterator[AssetEvent]:
    """Make what trainers read out of the staged rows, and put it in place."""
    upstream = step.staged()
    with write(
        step.folders.training_rows(step.name),
        step.targets(kind),
        options=step.options,
        simulation=step.name,
        holdout=held_out(step.dataset, step.folders),
        progress=watcher_of(step.asset),
        workers=step.workers,
    ) as outcome:
        yield from published(step, kind, outcome, upstream)


def published(
    step: Step[Any], kind: str, outcome: Outcome, upstream: Upstream
) -> Iterator[AssetEvent]:
    """Put what trainers read in place: every format, their README, the report last.

    Nothing qualifies: the former files go, and the report says why.
    """
    upstream.expect(outcome.report["source"]["sha256"])
    report = step.report(outcome.report, upstream)
    if outcome.refusal is not None:
        yield from refused(step, outcome.refusal, report)
    folder = step.folders.published(kind, step.name)
    if report["outputs"]:
        outcome.add(folder / "README.md", folder_card(f"{step.name}: {kind}", report))
    outcome.reload()
    if outcome.refusal is not None:
        yield from refused(step, outcome.refusal, step.report(outcome.report, upstream))
    last = folder / "report.json"
    outcome.add(last, record_bytes(report))
    outcome.withdraw(unnamed(step, kind, report))
    outcome.publish(last=last)
    step.forget_refusal()
    checks = [*gate_results(step.asset, report, refused=False), has_rows(report)]
    shown = preview(report["outputs"])
    yield materialized(step, report, checks, {"preview": shown} if shown else {})


def refused(step: Step[Any], refusal: ExportError, report: Report) -> Iterator[AssetEvent]:
    """The red checks of a refused attempt, then its failure."""
    failure = step.refused(refusal, report)
    yield from gate_results(step.asset, report, refused=True, way=step.way_on(refusal, report))
    raise failure


def materialized(
    step: Step[Any],
    report: Report,
    checks: list[dg.AssetCheckResult],
    metadata: Mapping[str, Any] | None = None,
) -> dg.MaterializeResult[Any]:
    """What Dagster is told about the files that were just renamed in."""
    return dg.MaterializeResult(
        metadata={
            **report_metadata(report),
            **file_metadata(report),
            **column_metadata(step.dataset, step.asset, report["outputs"]),
            **(metadata or {}),
        },
        data_version=dg.DataVersion(content_version(report["outputs"])),
        check_results=checks,
    )


def unnamed(step: Step[Any], kind: str, report: Report) -> Iterator[Path]:
    """Files that the report does not name: those of a former run are not published any more."""
    named = {output["format"] for output in report["outputs"]}
    files = step.folders.published_files(kind, step.name)
    yield from (path for format, path in files.items() if format not in named)
    if not named:
        yield step.folders.published(kind, step.name) / "README.md"


def content_version(outputs: list[Mapping[str, Any]]) -> str:
    """One hash of the bytes of all formats; of a single file, its sha256."""
    digests = [str(output["sha256"]) for output in outputs]
    if len(digests) == 1:
        return digests[0]
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()
