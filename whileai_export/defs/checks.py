"""What every materialization is checked for, partition by partition."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import dagster as dg

from whileai_export.defs.dataset import Dataset
from whileai_export.defs.metadata import bounded, entries
from whileai_export.defs.way_on import WayOn

_PUBLISHED = {
    "tool_call_roundtrip": True,
    "privileged_leak": True,
    "holdout": True,
    "has_rows": False,
}
#: The checks of each asset; True where a failure keeps everything downstream from running.
CHECKS: Mapping[str, Mapping[str, bool]] = {
    "graded_simulations": {"readable": False, "has_privileged": False},
    "training_rows": {
        "tool_call_roundtrip": True,
        "privileged_leak": True,
        "structure": False,
        "tool_schema": False,
        "policy": False,
        "secrets": False,
    },
    "sft_jsonl": _PUBLISHED,
    "preference_jsonl": _PUBLISHED,
}
DESCRIPTIONS = {
    "readable": "Every line of the simulation is a row.",
    "has_privileged": "The rows carry a privileged block, so the leak gate has what to compare.",
    "tool_call_roundtrip": "Every call's arguments come back from the wire as they went in.",
    "privileged_leak": "No assistant turn quotes the privileged block of its own row.",
    "structure": "Every result answers an open call, and the roles stand in an order that"
    " chat templates take.",
    "tool_schema": "Every called tool is declared, and the arguments fit its JSON Schema.",
    "policy": "The system prompt is the one whose sha256 the rows recorded.",
    "secrets": "No API key, token or private key stands in any text that is exported.",
    "holdout": "No row's task or ask stands in the evaluation files that export.toml names.",
    "has_rows": "At least one row was written; where none was, the reasons are named.",
}
_NO_HOLDOUT = {
    "checked": False,
    "n_checked": 0,
    "count": 0,
    "named": [],
    "refuses": False,
    "summary": "holdout: not checked, export.toml names no evaluation files",
}


@contextmanager
def partitioned_checks() -> Iterator[None]:
    """Declare checks by partition without the warning that this is a preview."""
    with warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore",
            message="Specifying a partitions_def on an AssetCheckSpec",
            category=dg.PreviewWarning,
        )
        yield


def check_specs(dataset: Dataset, asset: str) -> list[dg.AssetCheckSpec]:
    """The declared checks of one asset."""
    with partitioned_checks():
        return [
            dg.AssetCheckSpec(
                name,
                asset=dataset.key(asset),
                description=DESCRIPTIONS[name],
                blocking=blocking,
                partitions_def=dataset.partitions,
            )
            for name, blocking in CHECKS[asset].items()
        ]


def gate_results(
    asset: str, report: Mapping[str, Any], refused: bool, way: WayOn | None = None
) -> list[dg.AssetCheckResult]:
    """A result for every gate that the asset declares, from what the report says it found.

    ``way``: how to go on from the refusal, which the gates that refuse say too.
    """
    found: dict[str, Any] = dict(report.get("findings", {}))
    if not report.get("holdout"):
        found["holdout"] = _NO_HOLDOUT
    gates = {name: b for name, b in CHECKS[asset].items() if name != "has_rows"}
    return [
        gate_result(name, found.get(name), blocking, refused, way)
        for name, blocking in gates.items()
    ]


def gate_result(
    gate: str,
    seen: Mapping[str, Any] | None,
    blocking: bool,
    refused: bool,
    way: WayOn | None = None,
) -> dg.AssetCheckResult:
    """Red where the gate refuses, or found something in an attempt that was refused."""
    if seen is None:
        return dg.AssetCheckResult(
            check_name=gate,
            passed=not blocking,
            severity=_severity(blocking),
            description="The gate did not run.",
            metadata={"checked": False},
        )
    count = int(seen["count"])
    quiet = not seen["refuses"] and not (refused and blocking)
    passed = count == 0 or (blocking and quiet)
    summary = str(seen["summary"])
    told = None if passed or not (blocking or seen["refuses"]) else way
    return dg.AssetCheckResult(
        check_name=gate,
        passed=passed,
        severity=_severity(blocking),
        description=told.after(summary) if told else summary,
        metadata={
            **(told.metadata() if told else {}),
            "checked": bool(seen["checked"]),
            "rows_checked": int(seen["n_checked"]),
            "findings": count,
            "named": dg.MetadataValue.json(bounded(seen["named"])),
        },
    )


def has_rows(report: Mapping[str, Any]) -> dg.AssetCheckResult:
    """A warning with the reasons where nothing qualified."""
    written = entries(report)
    reasons = report.get("without_pair") or report["counts"].get("filtered", {})
    said = ", ".join(f"{name} {n}" for name, n in sorted(reasons.items())) or "no rows"
    return dg.AssetCheckResult(
        check_name="has_rows",
        passed=written > 0,
        severity=dg.AssetCheckSeverity.WARN,
        description=f"{written} written" if written else f"nothing qualifies: {said}",
        metadata={"written": written, "reasons": dg.MetadataValue.json(bounded(reasons))},
    )


def _severity(blocking: bool) -> dg.AssetCheckSeverity:
    return dg.AssetCheckSeverity.ERROR if blocking else dg.AssetCheckSeverity.WARN
