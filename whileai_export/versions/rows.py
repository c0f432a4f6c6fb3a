"""Rows of published files, as far as versions must know them: who they are, and what they hold."""

from __future__ import annotations

import hashlib
import io
import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from whileai_export.core.folding import fold
from whileai_export.io.lines import whole_lines
from whileai_export.pipeline.exported import conversations
from whileai_export.shared.errors import SourceError
from whileai_export.shared.schema import GROUP_FIELDS, JsonObject

_OF_GROUP = frozenset(GROUP_FIELDS)


class Row(NamedTuple):
    """One line of a published file."""

    id: str
    task: str | None
    score: float | None
    """The reward of an SFT row, the margin of a pair."""
    digest: bytes
    """Of everything but the group fields, which other rows of the task change."""
    group: str
    fields: str
    """A digest of every field, as JSON."""


def row_of(row: JsonObject, line: bytes) -> Row:
    """What a version must know of the row in a line."""
    fields = {
        name: _digest(value)
        for name, value in row.items()
        if value is not None and name not in _OF_GROUP
    }
    text = orjson.dumps(fields, option=orjson.OPT_SORT_KEYS)
    return Row(
        id_of(row, line),
        task_of(row),
        _score(row),
        hashlib.sha256(text).digest()[:16],
        _digest([row.get(name) for name in GROUP_FIELDS]),
        text.decode(),
    )


def id_of(row: JsonObject, line: bytes) -> str:
    """The row's ``row_id``; where the format has no place for one, the digest of the line."""
    recorded = row.get("row_id")
    if isinstance(recorded, str):
        return recorded
    return hashlib.sha256(line.strip()).hexdigest()[:16]


def task_of(row: JsonObject) -> str | None:
    """The row's task, in formats that say it."""
    task = row.get("task")
    return task if isinstance(task, str) else None


def ask_of(row: JsonObject) -> bytes:
    """The sha256 of the system prompt and of the first user text in normal form."""
    sides = conversations(row)
    messages = sides[0] if sides else []
    system = next((m["content"] for m in messages if m["role"] == "system"), "")
    user = next((m["content"] for m in messages if m["role"] == "user"), "")
    return hashlib.sha256(f"{system}\0{fold(user)}".encode()).digest()


def read_rows(path: Path, label: str, sha256: str | None = None) -> Iterator[Row]:
    """Every row of a file, as far as versions must know it."""
    return (row_of(row, line) for row, line in read_lines(path, label, sha256))


def read_lines(
    path: Path, label: str, sha256: str | None = None
) -> Iterator[tuple[JsonObject, bytes]]:
    """Every line of a file with its object. Refused where the bytes are not the recorded ones."""
    seen = hashlib.sha256()
    number = 0
    with path.open("rb") as stream:
        for block in whole_lines(stream, sys.maxsize - 1):
            seen.update(block)
            for line in io.BytesIO(block):
                number += 1
                try:
                    row = decoded(line)
                except ValueError:
                    raise SourceError(f"{label}: expected a row", line=number) from None
                yield row, line
    if sha256 not in (None, seen.hexdigest()):
        raise SourceError(
            f"{label}: its sha256 is {seen.hexdigest()[:12]}, the manifest says {sha256[:12]};"
            " it was edited after the version was cut"
        )


def decoded(line: bytes) -> JsonObject:
    """The object in one line. ``ValueError`` where there is none."""
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError:
        row = json.loads(line)
    if not isinstance(row, dict):
        raise ValueError
    return row


def _digest(value: Any) -> str:
    try:
        text = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # a number past 64 bit
        text = json.dumps(value, sort_keys=True).encode()
    return hashlib.sha256(text).hexdigest()[:12]


def _score(row: JsonObject) -> float | None:
    value = row.get("margin", row.get("reward"))
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value)
