"""Where the documented functions write when nobody says where."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from whileai_export.io.sidecar import stem
from whileai_export.pipeline.outcome import Outcome
from whileai_export.shared.errors import OptionError, SourceError
from whileai_export.shared.options import Policy


def output_of(source: object, output: str | Path | None) -> Path | None:
    """The target: as given, else beside a path source, else none."""
    if output is not None:
        return output if isinstance(output, Path) else _path(output)
    if not isinstance(source, str | os.PathLike):
        return None
    text = os.fspath(source)
    path = Path(text if isinstance(text, str) else os.fsdecode(text)).expanduser()
    if "://" in str(text) or path.is_dir():
        raise OptionError(f"output: a folder or a URL has no file beside it; pass output= ({text})")
    return path.with_name(f"{stem(path)}.train.jsonl")


def _path(output: str) -> Path:
    # A URL loses one of its slashes inside a Path; it travels as text and is told by its scheme.
    return output if "://" in output else Path(output)  # type: ignore[return-value]


def quarantine_of(
    target: Path | None, quarantine: str | Path | None, policy: Policy
) -> Path | None:
    """The private file for rows that are kept out; None where no row would be."""
    if "quarantine" not in (policy.on_bad_row, policy.on_leak):
        return None
    if quarantine is not None:
        return Path(quarantine)
    return None if target is None else Path(f"{target}.quarantine.jsonl")


def report_of(outcome: Outcome, target: Path | None) -> dict[str, Any]:
    """Publish what was staged; the report with the path that was written."""
    if outcome.refusal is not None:
        raise outcome.refusal
    report = outcome.report
    report["path"], report["n_written"] = None, 0
    report["output"] = None
    if target is None:
        return report
    if outcome.empty:
        if "pairs" in report:
            return report
        raise SourceError(f"no row is left to write: {_reasons(report)}")
    outcome.publish()
    written = report["outputs"][0]
    report["path"] = str(target)
    report["n_written"] = written["rows"]
    report["output"] = {key: written[key] for key in ("path", "sha256", "bytes")}
    return report


def _reasons(report: dict[str, Any]) -> str:
    counts = report["counts"]
    told = [f"{count} {reason}" for reason, count in counts["filtered"].items()]
    if counts["quarantined"]:
        told.append(f"{counts['quarantined']} quarantined")
    return ", ".join(told) or "nothing was read"
