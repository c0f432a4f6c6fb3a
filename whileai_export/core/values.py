"""Values as JSON knows them: their kinds, their limits, and how a strange one is settled."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import NO_REPAIRS, JsonObject, Repairs

MAX_DEPTH = 200
LEAST_INT = -(2**63)
MOST_INT = 2**64 - 1
#: Numbers this far from nought need a closer look: a float may be an integer that was too long.
DOUBTFUL = 2.0**63
REPLACEMENT = "\ufffd"

_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*")
#: A longer name is not repeated in a message: it may be text.
LONGEST_NAME = 40
TOO_DEEP = f"expected at most {MAX_DEPTH} levels, got more"
LONG_INTEGER = "expected integers of 64 bit, got a longer one"

_KINDS: dict[type, str] = {
    dict: "an object",
    list: "a list",
    str: "text",
    bool: "true or false",
    int: "a number",
    float: "a number",
    type(None): "null",
}


class _TwoValues(ValueError):
    """An object in JSON text that has one key twice."""


def kind_of(value: object) -> str:
    """What a value is, in the words of JSON: ``a list``, ``text``, ``null``."""
    return _KINDS.get(type(value)) or f"a Python {type(value).__name__}"


def is_json(value: object) -> bool:
    """Whether a value is of a kind that JSON has; its parts may not be."""
    return type(value) in _KINDS


def is_plain(name: object) -> bool:
    """Whether it is a short plain name; a longer one, or one with spaces, may be text."""
    return type(name) is str and len(name) <= LONGEST_NAME and bool(_PLAIN_NAME.fullmatch(name))


def shown(name: object) -> str:
    """A short plain name in quotes; anything else only by its kind, for it may be private."""
    return repr(name) if is_plain(name) else kind_of(name)


def placed(bad: BadRow, place: str) -> BadRow:
    """The same problem, named from further out: ``.name`` in ``$.steps[2]``."""
    return BadRow(bad.problem, place + bad.at.removeprefix("$"))


def whole_text(text: str) -> tuple[str, int]:
    """The text with every lone surrogate replaced, and how many were."""
    mended = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return mended, mended.count(REPLACEMENT) - text.count(REPLACEMENT)


def json_of(text: str) -> Any:
    """The value of JSON text, numbers as they are written; ``ValueError`` says what is wrong."""
    try:
        return json.loads(text, object_pairs_hook=_once)
    except _TwoValues:
        raise ValueError("expected one value for each key, got two") from None
    except json.JSONDecodeError as error:
        # Python 3.13 points at a trailing comma, earlier ones at what follows it.
        place = error.pos + error.msg.startswith("Illegal trailing comma")
        raise ValueError(f"expected JSON, got other text at character {place}") from None
    except ValueError:  # more digits than Python reads
        raise ValueError(LONG_INTEGER) from None
    except RecursionError:
        raise ValueError(TOO_DEEP) from None


def depth_of(value: object) -> int:
    """How many objects and lists stand inside one another."""
    level, depth = [value], 0
    while level := [item for item in level if isinstance(item, dict | list)]:
        depth += 1
        level = [
            child for item in level for child in (item.values() if isinstance(item, dict) else item)
        ]
    return depth


def without_nan(value: Any, depth: int = 1) -> tuple[Any, int]:
    """The value with null for every NaN and infinity, and how many there were."""
    if isinstance(value, float):
        return (value, 0) if value - value == 0 else (None, 1)
    if not isinstance(value, dict | list):
        return value, 0
    if depth > MAX_DEPTH:
        raise BadRow(TOO_DEEP)
    items = value.values() if isinstance(value, dict) else value
    pairs = [without_nan(item, depth + 1) for item in items]
    nulled = sum(count for _, count in pairs)
    kept = [item for item, _ in pairs]
    return (dict(zip(value, kept, strict=True)) if isinstance(value, dict) else kept), nulled


def settle(value: object, levels: int = MAX_DEPTH) -> tuple[Any, Repairs]:
    """The value as JSON would hold it; the value itself where nothing has to change.

    ``levels``: how deep it may be. Deeper values, and what JSON cannot hold, are a ``BadRow``.
    Not a number, infinities and long integers stay: what becomes of them depends on the place.
    """
    if _is_settled(value, levels):
        return value, NO_REPAIRS
    settled, replaced = _settled(value, "$", (0, levels))
    return settled, {"surrogates_replaced": replaced} if replaced else NO_REPAIRS


def _once(pairs: list[tuple[str, Any]]) -> JsonObject:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _TwoValues
    return found


def _is_whole(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_settled(value: object, levels: int) -> bool:
    kind = type(value)
    if kind is str:
        return _is_whole(value)  # type: ignore[arg-type]
    if kind is dict:
        keys_are_text = all(type(key) is str and _is_whole(key) for key in value)  # type: ignore[attr-defined]
        values = value.values()  # type: ignore[attr-defined]
    elif kind is list:
        keys_are_text, values = True, value
    else:
        return kind in _KINDS
    if not keys_are_text or not levels:
        return False
    return all(_is_settled(item, levels - 1) for item in values)


def _settled(value: object, at: str, depth: tuple[int, int]) -> tuple[Any, int]:
    if isinstance(value, str):
        return whole_text(str.__str__(value))
    if value is None or isinstance(value, bool):
        return value, 0
    if isinstance(value, int):
        return int(value), 0
    if isinstance(value, float):
        return float(value), 0
    above, most = depth
    if above >= most:
        raise BadRow(f"expected at most {most} levels, got more", at)
    inside = above + 1, most
    if isinstance(value, Mapping):
        return _settled_object(value, at, inside)
    if isinstance(value, list | tuple):
        pairs = [_settled(item, f"{at}[{n}]", inside) for n, item in enumerate(value)]
        return [item for item, _ in pairs], sum(count for _, count in pairs)
    raise BadRow(f"expected JSON, got {kind_of(value)}", at)


def _settled_object(
    value: Mapping[Any, object], at: str, depth: tuple[int, int]
) -> tuple[JsonObject, int]:
    settled: JsonObject = {}
    replaced = 0
    for key, item in value.items():
        if not isinstance(key, str):
            raise BadRow(f"expected text for a key, got {kind_of(key)}", at)
        name, in_key = whole_text(str.__str__(key))
        if name in settled:
            raise BadRow("expected one value for a key, got two", at)
        place = f"{at}.{name}" if name.isidentifier() and len(name) <= LONGEST_NAME else f"{at}.*"
        settled[name], in_item = _settled(item, place, depth)
        replaced += in_key + in_item
    return settled, replaced
