"""Where the documented functions write when nobody says where."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from whileai_export.io import remote
from whileai_export.io.sidecar import stem
from whileai_export.io.source import rows_in
from whileai_export.pipeline.load import file_snippet, max_length, settings
from whileai_export.pipeline.outcome import Outcome, Target
from whileai_export.shared.errors import OptionError, SourceError
from whileai_export.shared.options import Policy


def output_of(source: object, output: str | os.PathLike[str] | None) -> Target | None:
    """The target: as given, else beside a path source, else none.

    Raises ``SourceError`` for a folder that is no simulation: an output would not mend that.
    """
    if output is not None:
        return target_of(output)
    if not isinstance(source, str | os.PathLike):
        return None
    text = os.fspath(source)
    text = text if isinstance(text, str) else os.fsdecode(text)
    path = Path(text)
    is_folder = os.path.isdir(path.expanduser())
    if is_folder:
        rows_in(path.expanduser())
    if is_folder or remote.is_url(text):
        raise OptionError(
            f"output: a folder or a URL has no file beside it; pass output= ({remote.shown(text)})"
        )
    # What is no name of a file is refused as a source, in words that fit it.
    return path.expanduser().with_name(f"{stem(path)}.train.jsonl") if path.name else None


def target_of(output: str | os.PathLike[str]) -> Target:
    """Where a file goes: a URL as text, unless it stands for a path of this machine."""
    # A URL loses one of its slashes inside a Path; it travels as text.
    text = os.fspath(output) if isinstance(output, str | os.PathLike) else None
    if not isinstance(text, str):
        raise OptionError(f"output: expected a path or a URL, got {type(output).__name__}")
    return remote.local_path(text) or (text if remote.is_url(text) else Path(text))


def columns_of(columns: Sequence[str] | None) -> tuple[str, ...] | None:
    """The names of the columns that were asked for; one text is not a list of letters."""
    if isinstance(columns, str):
        raise OptionError(f"columns: expected a list of names, got text; pass [{columns!r}]")
    return None if columns is None else tuple(columns)


def quarantine_of(
    target: Target | None, quarantine: Target | None, policy: Policy
) -> Target | None:
    """The private file for rows that are kept out; None where no row would be."""
    if "quarantine" not in (policy.on_bad_row, policy.on_leak):
        return None
    if quarantine is not None:
        return target_of(quarantine)
    return None if target is None else target_of(f"{target}.quarantine.jsonl")


def report_of(outcome: Outcome, target: Target | None) -> dict[str, Any]:
    """Publish what was staged; the report with the path that was written."""
    if outcome.refusal is not None:
        raise outcome.refusal
    report = outcome.report
    report["output"] = None
    if target is None:
        outcome.publish()  # rows that are kept out may have a file of their own
        return report
    if outcome.empty:
        if "pairs" in report:
            return report
        raise SourceError(f"no row is left to write: {_reasons(report)}")
    outcome.publish()
    written = report["outputs"][0]
    report["load"] = load_of(report, written)
    report["output"] = {key: written[key] for key in ("path", "sha256", "bytes")}
    return report


def load_of(report: Mapping[str, Any], output: Mapping[str, Any]) -> str:
    """Python that loads the file that was written, with its features and the trainer's settings."""
    length = max_length(output, report.get("lengths"))
    config = settings(output["format"], pairs="pairs" in report, length=length)
    return file_snippet(output["path"], output["columns"], output["format"], config)


def _reasons(report: dict[str, Any]) -> str:
    counts = report["counts"]
    told = [f"{count} {reason}" for reason, count in counts["filtered"].items()]
    if counts["quarantined"]:
        told.append(f"{counts['quarantined']} quarantined")
    return ", ".join(told) or "nothing was read"
