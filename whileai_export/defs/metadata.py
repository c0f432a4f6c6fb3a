"""What the UI shows of a report: JSON it can draw, numbers it can plot, never a private word."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import dagster as dg

#: Longer lists slow the event log; the whole report is on disk.
LISTED = 20


def bounded(value: Any) -> Any:
    """The value without NaN, its lists cut at twenty entries."""
    if isinstance(value, Mapping):
        return {str(key): bounded(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [bounded(entry) for entry in value[:LISTED]]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def report_metadata(report: Mapping[str, Any]) -> dict[str, Any]:
    """The report, and of it the numbers that plot over time."""
    return {"report": dg.MetadataValue.json(bounded(report)), **numbers(report)}


def numbers(report: Mapping[str, Any]) -> dict[str, int | float]:
    """The flat numbers of a report; one that it does not have is left out."""
    counts, rewards = report.get("counts", {}), report.get("rewards", {})
    graded = rewards.get("n_pass", 0) + rewards.get("n_fail", 0)
    leak = report.get("findings", {}).get("privileged_leak", {})
    flat = {
        "rows": entries(report) if counts else None,
        "read": counts.get("read"),
        "quarantined": counts.get("quarantined"),
        "pass_rate": rewards.get("n_pass", 0) / graded if graded else None,
        "leaks": leak.get("count"),
        "duplicates": report.get("duplicates"),
        "tasks": report.get("tasks", report.get("tasks_seen")),
        "pairs": report.get("pairs"),
        "mean_margin": report.get("mean_margin"),
        "characters": report.get("characters"),
    }
    return {name: number for name, number in flat.items() if _plots(number)}


def file_metadata(report: Mapping[str, Any]) -> dict[str, Any]:
    """Where the rows are, how many, how large; of a report without files, that there are none."""
    outputs = report["outputs"]
    told: dict[str, Any] = {"dagster/partition_row_count": entries(report)}
    if not outputs:
        return told
    first = Path(outputs[0]["path"])
    told["dagster/uri"] = (first if len(outputs) == 1 else first.parent).absolute().as_uri()
    told["size_bytes"] = sum(output["bytes"] for output in outputs)
    for output in outputs:
        told[f"path/{output['format']}"] = dg.MetadataValue.path(output["path"])
    return told


def entries(report: Mapping[str, Any]) -> int:
    """Pairs of a preference report, rows of any other."""
    return int(report["pairs"] if "pairs" in report else report["counts"]["written"])


def _plots(number: object) -> bool:
    return isinstance(number, int | float) and math.isfinite(number)
