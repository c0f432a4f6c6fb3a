"""Files that people take for rows: a quarantine, a report, a list."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from whileai_export.pipeline.numbering import numbered
from whileai_export.shared.counted import counted
from whileai_export.shared.errors import ExportError, SourceError

_SET_ASIDE = frozenset(("row", "gate", "at", "problem", "findings", "source"))
#: A whole document that is larger is not looked at.
_LARGEST = 1 << 26


def refuse_mistaken(source: str) -> None:
    """Refuse a file that holds no row a line, and say what it is."""
    path = Path(source)
    if not path.is_file():
        return
    try:
        first = next(numbered(path), None)
    except (ExportError, OSError, EOFError):
        return
    if first is None:
        return
    told = _read(first[1])
    if isinstance(told, dict) and told.keys() >= _SET_ASIDE:
        raise SourceError(
            f"{source}: expected rows, got a quarantine file: rows that an export set aside, each"
            " under `source`, with the place and the reason"
        )
    if not isinstance(told, dict) and path.stat().st_size <= _LARGEST:
        _refuse_document(source, _read(path.read_bytes()))


def _refuse_document(source: str, whole: Any) -> None:
    if isinstance(whole, list):
        raise SourceError(
            f"{source}: expected a row a line, got one JSON list of"
            f" {counted(len(whole), 'entry', 'entries')}; jq -c '.[]' writes one a line"
        )
    if isinstance(whole, dict):
        raise SourceError(f"{source}: expected a row a line, got one JSON object over many lines")


def _read(text: bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
