"""What is told about a simulation when it is registered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import dagster as dg

from whileai_export.defs.checks import gate_result
from whileai_export.defs.inputs import SimulationInput, StaleInput
from whileai_export.defs.metadata import bounded, numbers
from whileai_export.defs.step import Step
from whileai_export.defs.write import AssetEvent
from whileai_export.pipeline.outcome import Outcome
from whileai_export.shared.counted import agreeing, counted
from whileai_export.shared.errors import SourceError
from whileai_export.shared.remedies import unreadable

_BY = " (rows of another shape are read by an adapter that export.toml names)"


def registered(step: Step[Any], outcome: Outcome, now: SimulationInput) -> Iterator[AssetEvent]:
    """The simulation by its sha256, with what its rows are. Refused where none can be read."""
    report = outcome.report
    if outcome.refusal is not None:
        raise outcome.refusal
    if report["source"]["sha256"] != now.sha256:
        raise StaleInput(f"simulation {step.name}: it changed while it was read; try again")
    checks = [readable(report), has_privileged(report)]
    if not report["counts"]["written"]:
        yield checks[0]
        raise SourceError(f"simulation {step.name}: {unreadable(report)}{_BY}")
    step.forget_refusal()
    yield dg.MaterializeResult(
        metadata={
            "sha256": now.sha256,
            "facts_sha256": now.facts_sha256,
            **census(report),
            "dagster/partition_row_count": report["counts"]["read"],
            "dagster/uri": step.folders.simulation(step.name).as_uri(),
            "size_bytes": now.bytes,
        },
        data_version=dg.DataVersion(now.sha256),
        check_results=checks,
    )


def census(report: Mapping[str, Any]) -> dict[str, Any]:
    """Rows, tasks, rewards, shapes and unreadable lines; numbers flat, so that they plot."""
    told = {
        "source": report["source"],
        "tasks": report["tasks"],
        "rewards": report["rewards"],
        "repairs": report["repairs"],
        "unreadable": report["findings"]["readable"]["named"],
    }
    flat = numbers(report)
    return {
        "census": dg.MetadataValue.json(bounded(told)),
        "rows": report["counts"]["read"],
        "unreadable_rows": report["findings"]["readable"]["count"],
        **{name: flat[name] for name in ("tasks", "pass_rate", "characters") if name in flat},
    }


def readable(report: Mapping[str, Any]) -> dg.AssetCheckResult:
    """Red where no row can be read; a warning where some cannot."""
    seen = report["findings"]["readable"]
    return gate_result("readable", seen, blocking=False, refused=not report["counts"]["written"])


def has_privileged(report: Mapping[str, Any]) -> dg.AssetCheckResult:
    """A warning where the leak gate has nothing to compare with."""
    seen = report["privileged_leaks"]
    checked, rows = seen["n_checked"], counted(report["counts"]["written"], "row")
    carry = f"{checked:,} of {rows} {agreeing(checked, 'carries', 'carry')}"
    return dg.AssetCheckResult(
        check_name="has_privileged",
        passed=seen["checked"],
        severity=dg.AssetCheckSeverity.WARN,
        description=f"{carry} a searchable privileged block"
        if seen["checked"]
        else "no row carries a searchable privileged block: the leak gate checks nothing",
        metadata={"rows_checked": checked, "checked": seen["checked"]},
    )
