"""Files that are no source any more: the format they are in, and their rows as they are."""

from __future__ import annotations

import gzip
import json
from itertools import islice
from pathlib import Path
from typing import Any

from whileai_export.pipeline.audit import conversations
from whileai_export.shared.schema import JsonObject, WireFormat


def format_of(source: str) -> WireFormat | None:
    """The format of a file that only a trainer reads; None where an export could read it."""
    found = first_rows(source, 1)
    return told_by(found[0]) if found else None


def told_by(row: JsonObject) -> WireFormat | None:
    """The format that a row's columns tell."""
    if "preferred_output" in row or any("weight" in turn for turn in _turns(row)):
        return "fireworks"
    if isinstance(row.get("completion"), list):
        return "kto" if "label" in row else "trl-completion"
    if isinstance(row.get("chosen"), list) and "rejected" in row:
        return "openai" if isinstance(row.get("prompt"), str) else "trl"
    return None


def first_rows(source: str, count: int) -> list[JsonObject]:
    """The first rows of a plain or gzipped file; none where they are no JSON objects."""
    path = Path(source)
    if not path.is_file():
        return []
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rb") as lines:
            rows = [json.loads(line) for line in islice(filter(bytes.strip, lines), count)]
    except (ValueError, OSError, EOFError, RecursionError):
        return []
    return [row for row in rows if isinstance(row, dict)]


def sides(row: JsonObject) -> list[JsonObject]:
    """Each conversation of a row with its mask: what a trainer learns from is 1."""
    found = []
    for turns in conversations(row):
        shared = _shared(row)
        mask = [
            int(turn.get("weight", place >= shared and turn.get("role") == "assistant"))
            for place, turn in enumerate(turns)
        ]
        found.append({"messages": turns, "loss_mask": mask})
    return found


def _shared(row: JsonObject) -> int:
    """How many turns the sides have in common: they are context."""
    given: Any = row["input"].get("messages") if "input" in row else row.get("prompt")
    if isinstance(given, list):
        return len(given)
    turns = _turns(row) or row.get("chosen", [])
    roles = [turn.get("role") for turn in turns]
    return roles.index("assistant") if "assistant" in roles else len(roles)


def _turns(row: JsonObject) -> list[JsonObject]:
    turns = row.get("messages")
    return [t for t in turns if isinstance(t, dict)] if isinstance(turns, list) else []
