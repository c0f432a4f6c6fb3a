"""One line of a file to one row, by the fast reader, and by a strict one where it may be wrong."""

from __future__ import annotations

import json
from typing import Any

import orjson

from whileai_export.io.lines import TooLong
from whileai_export.shared.counted import counted
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import ROW_DEPTH, JsonObject

TO_ZERO = bytes.maketrans(b"0123456789", b"0" * 10)
#: The shortest integers past 64 bit have 19 digits. Three of them stand at multiples of six.
LONG_NUMBER, SAMPLED = b"0" * 19, b"0" * 3


def decode(line: bytes) -> tuple[JsonObject, bool]:
    """The row, and whether it holds what only ``settle`` can judge. ``BadRow`` when it is none."""
    try:
        row = orjson.loads(line)
        text = orjson.dumps(row)
    except (orjson.JSONDecodeError, TypeError):
        return _decode_strictly(line), True
    # What comes back as the very bytes that were read lost nothing.
    if text != line and _may_have_lost(line, text):
        return _decode_strictly(line), True
    if type(row) is not dict:
        raise _expected_object(_kind(row))
    return row, False


def _may_have_lost(line: bytes, text: bytes) -> bool:
    """Whether a key that came twice, or a digit of a long number, may be gone from the text."""
    # Each key has a colon; one that is escaped in a text would stand for a key that is gone.
    if line.count(b":") != text.count(b":") or b"\\u003" in line:
        return True
    return SAMPLED in line[::6].translate(TO_ZERO) and LONG_NUMBER in line.translate(TO_ZERO)


def _decode_strictly(line: bytes) -> JsonObject:
    """Exact integers, NaN and lone surrogates kept; no object with two values for one key."""
    if isinstance(line, TooLong):
        raise BadRow("expected a line of at most max_row_bytes bytes, got a longer one")
    text = _text(line)
    try:
        row = _STRICT.decode(text)
    except json.JSONDecodeError as error:
        raise _expected_object(_what_came(text, error)) from None
    except RecursionError:
        raise _too_deep() from None
    except ValueError:
        raise BadRow("expected numbers of at most 4300 digits, got a longer one") from None
    if not isinstance(row, dict):
        raise _expected_object(_kind(row))
    if _deeper_than(row, ROW_DEPTH):
        raise _too_deep()
    return row


def _text(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        place = f"invalid UTF-8 at byte {error.start + 1}"
        raise _expected_object(place) from None


def _unique(pairs: list[tuple[str, Any]]) -> JsonObject:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise BadRow("expected one value for every key, got an object with two values for one key")
    return found


_STRICT = json.JSONDecoder(object_pairs_hook=_unique)


def _what_came(text: str, error: json.JSONDecodeError) -> str:
    rest = text[error.pos :].lstrip()
    if error.msg == "Extra data":
        return "two objects" if text.lstrip()[:1] == rest[:1] == "{" else "more after its end"
    if text.strip() in ("[", "[{"):
        return (
            "the start of a list (a .jsonl file holds one object a line, and no list around them)"
        )
    if not rest or error.msg.startswith("Unterminated string"):
        length = counted(len(text), "character")
        return f"a torn line (it ends inside a value, after {length})"
    # Python 3.13 points at a trailing comma, earlier ones at what follows it.
    place = error.pos + error.msg.startswith("Illegal trailing comma")
    return f"text that is not JSON (from character {place + 1})"


def _deeper_than(value: object, levels: int) -> bool:
    here: list[Any] = [value]
    for _ in range(levels):
        inside = (v.values() if isinstance(v, dict) else v for v in here)
        here = [child for children in inside for child in children if type(child) in (dict, list)]
    return bool(here)


def _kind(value: object) -> str:
    match value:
        case list():
            return "a list"
        case str():
            return "text"
        case bool():
            return "true" if value else "false"
        case None:
            return "null"
    return "a number"


def _expected_object(got: str) -> BadRow:
    return BadRow(f"expected one JSON object on the line, got {got}")


def _too_deep() -> BadRow:
    return BadRow(f"expected at most {ROW_DEPTH} levels, got a deeper row")
