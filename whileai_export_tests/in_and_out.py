"""Rows through the exporters: the bytes that were written, and the report."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import assume

from whileai_export import ExportError, export_dataset
from whileai_export.pipeline.preference import write_pairs
from whileai_export.shared.options import PairOptions, Policy
from whileai_export_tests import strict


def exported(source: Any, **options: Any) -> tuple[bytes, dict[str, Any]]:
    """The bytes that were written, none where nothing was left to write, and the report."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "out.jsonl"
        try:
            report = export_dataset(source, output, **options)
        except ExportError as refusal:
            assume("no row is left to write" not in str(refusal))
            raise
        strict.check_file(output, options.get("format", "openai"))
        return output.read_bytes(), report


def paired(source: Any, format: Any, **options: Any) -> tuple[bytes, dict[str, Any]]:
    """The bytes of a preference file; none where there is no pair."""
    made = PairOptions(formats=(format,), policy=Policy(validate=False), min_margin=0.2, **options)
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "out.jsonl"
        with write_pairs(source, {format: output}, options=made) as outcome:
            outcome.publish()
        return output.read_bytes() if output.exists() else b"", outcome.report


def in_a_file(data: bytes, folder: str) -> Path:
    path = Path(folder) / "night.jsonl"
    path.write_bytes(data)
    return path


def says_something(turn: dict[str, Any]) -> bool:
    return turn["role"] == "assistant" and bool(turn["content"].strip() or "tool_calls" in turn)
