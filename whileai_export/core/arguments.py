"""A tool call's arguments, in whatever encoding they were recorded, as an object."""

from __future__ import annotations

import json
from collections.abc import Iterable
from math import isfinite, isnan
from typing import Any

import orjson

from whileai_export.core.values import (
    DOUBTFUL,
    LEAST_INT,
    LONG_INTEGER,
    MAX_DEPTH,
    MOST_INT,
    TOO_DEEP,
    is_json,
    json_of,
    kind_of,
    settle,
)
from whileai_export.shared.schema import NO_REPAIRS, BadArguments, JsonObject, Repairs

#: How many times an object may have been written into text inside text.
MOST_ENCODINGS = 3


class _Doubt(Exception):
    """Something that the quick look cannot judge."""


def read_arguments(value: object) -> tuple[JsonObject | BadArguments, Repairs]:
    """The arguments as an object, or the text that came and why it is none."""
    try:
        if type(value) is dict:
            _keys_below(value.values(), 2)
            return value, NO_REPAIRS
        if type(value) is str and value:
            found = orjson.loads(value)
            # As many colons as keys: no key came twice, which orjson would not tell.
            if type(found) is dict and value.count(":") == len(found) + _keys_below(
                found.values(), 2
            ):
                return found, NO_REPAIRS
    except (_Doubt, orjson.JSONDecodeError):
        pass
    return _read_closely(value)


def _read_closely(value: object) -> tuple[JsonObject | BadArguments, Repairs]:
    if value is None or value == "":
        return {}, NO_REPAIRS
    if type(value) is str:
        return _from_text(value)
    if type(value) is not dict:
        problem: str | None = f"expected an object, got {kind_of(value)}"
    else:
        problem = flaw(value)
        if problem is None:
            return value, NO_REPAIRS
    return BadArguments(_as_text(value), problem or ""), NO_REPAIRS


def flaw(value: object, depth: int = 1) -> str | None:
    """Why JSON cannot hold a value as it is; None where it can."""
    if isinstance(value, float):
        return _flaw_of_float(value)
    if isinstance(value, int):
        return None if LEAST_INT <= value <= MOST_INT else LONG_INTEGER
    if not isinstance(value, dict | list):
        return None if is_json(value) else f"expected JSON, got {kind_of(value)}"
    values = value.values() if isinstance(value, dict) else value
    if depth > MAX_DEPTH:
        return TOO_DEEP
    return next(filter(None, (flaw(item, depth + 1) for item in values)), None)


def _flaw_of_float(value: float) -> str | None:
    if isfinite(value):
        return None
    return f"expected JSON, got {'NaN' if isnan(value) else 'Infinity'}"


def _keys_below(values: Iterable[Any], depth: int) -> int:
    """How many keys the objects among the values have, at any depth."""
    keys = 0
    for item in values:
        kind = type(item)
        if kind is str or kind is bool or item is None:
            continue
        if kind is int or kind is float:
            # Not so for NaN, nor for the float that orjson makes of an integer that is too long.
            if -DOUBTFUL < item < DOUBTFUL:
                continue
            raise _Doubt
        if depth > MAX_DEPTH:
            raise _Doubt
        if kind is dict:
            keys += len(item) + _keys_below(item.values(), depth + 1)
        elif kind is list:
            keys += _keys_below(item, depth + 1)
        else:
            raise _Doubt
    return keys


def _from_text(text: str) -> tuple[JsonObject | BadArguments, Repairs]:
    value: Any = text
    repairs = NO_REPAIRS
    times = 0
    while type(value) is str and value and times < MOST_ENCODINGS:
        try:
            value, repairs = _decoded(value)
        except ValueError as error:
            problem = "expected an object, got text" if times else str(error)
            return BadArguments(text, problem), NO_REPAIRS
        times += 1
    if value is None or value == "":
        value = {}
    if type(value) is not dict:
        return BadArguments(text, f"expected an object, got {kind_of(value)}"), NO_REPAIRS
    return value, {**repairs, "nested_arguments": 1} if times > 1 else repairs


def _decoded(text: str) -> tuple[Any, Repairs]:
    """The value of JSON text; ``ValueError`` where reading it would change it."""
    try:
        value = orjson.loads(text)
        if type(value) is dict:
            _keys_below(value.values(), 2)
    except (_Doubt, orjson.JSONDecodeError):
        return _decoded_exactly(text)
    return (value, NO_REPAIRS) if _kept_its_keys(text, value) else _decoded_exactly(text)


def _kept_its_keys(text: str, value: object) -> bool:
    """Whether no key got lost in reading, as the first of two equal ones does.

    Each key has a colon, and texts may hold more. Written again, the value has as many as the
    text, unless one of them is written as an escape there.
    """
    if type(value) is not dict:
        return True
    return "\\u003" not in text and text.count(":") == orjson.dumps(value).count(b":")


def _decoded_exactly(text: str) -> tuple[Any, Repairs]:
    value = json_of(text)
    if type(value) is not dict and type(value) is not str:
        return value, NO_REPAIRS  # refused for its kind
    problem = flaw(value)
    if problem:
        raise ValueError(problem)
    return settle(value)


def _as_text(value: object) -> str:
    try:
        return json.dumps(value)
    except (RecursionError, TypeError, ValueError):
        return ""
