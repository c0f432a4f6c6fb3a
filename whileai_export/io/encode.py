"""Values to the bytes that are written."""

from __future__ import annotations

import json
from typing import Any

import orjson

from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import JsonObject

#: Readers that split at every Unicode line end would break a row at these three.
SEPARATORS = (
    ("\u2028".encode(), b"\\u2028"),
    ("\u2029".encode(), b"\\u2029"),
    ("\u0085".encode(), b"\\u0085"),
)


def dumps(value: object) -> bytes:
    """JSON without white space. ``BadRow`` for what JSON or its readers cannot hold."""
    try:
        return orjson.dumps(value)
    except TypeError as error:
        raise BadRow(f"expected values that JSON can hold, got another: {error}") from None


def escape_separators(block: bytes) -> bytes:
    """JSON text with U+2028, U+2029 and U+0085 escaped. Works on whole blocks of rows."""
    # Each of the three ends in a byte that most text of any language does without.
    if b"\xa8" not in block and b"\xa9" not in block and b"\x85" not in block:
        return block
    for separator, escaped in SEPARATORS:
        if separator in block:
            block = block.replace(separator, escaped)
    return block


def raw_json(known: JsonObject, name: str, raw: object) -> bytes:
    """One line: what is known, and under ``name`` a row as it came, whatever it is."""
    whole = _line_as_json(raw) if isinstance(raw, bytes) else _object_as_json(raw)
    line = dumps(known).removesuffix(b"}") + b"," * bool(known) + dumps(name) + b":" + whole
    return escape_separators(line) + b"}\n"


def _line_as_json(line: bytes) -> bytes:
    """A line that is JSON stays as it is; another becomes text from which it can be had back."""
    try:
        orjson.loads(line)
    except orjson.JSONDecodeError:
        return json.dumps(line.decode(errors="surrogateescape")).encode()
    return bytes(line)


def _object_as_json(value: object) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError:
        pass
    try:
        return _text_of(value).encode()
    except (TypeError, ValueError, RecursionError):
        return dumps(f"<{type(value).__name__}>")


def _text_of(value: Any) -> str:
    return json.dumps(value, default=repr, allow_nan=False)
