"""Rows that are in a wire format already: their conversations, and the calls in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any

from whileai_export.core.encoding import problem_on_wire
from whileai_export.core.values import kind_of
from whileai_export.core.wire import OBJECTS
from whileai_export.pipeline.report import roundtrip
from whileai_export.shared.errors import SourceError
from whileai_export.shared.findings import Finding
from whileai_export.shared.options import FORMATS, SftOptions, one_of
from whileai_export.shared.schema import JsonObject, WireFormat
from whileai_export.shared.tally import Tally

#: Where conversations stand in rows of any format: each entry is one conversation.
_CONVERSATIONS = (
    (("messages",),),
    (("prompt", "completion"),),
    (("prompt", "chosen"), ("prompt", "rejected")),
)


def tool_call_roundtrip(
    rows: Sequence[JsonObject], format: WireFormat = "openai"
) -> dict[str, Any]:
    """Check that every tool call of exported rows carries structured arguments.

    ``openai`` wants JSON text that parses to an object, ``trl`` an object. Returns counts, the
    first 20 row numbers with an invalid call, and the encoding that was checked. Each side of a
    pair counts as a row. Raises ``SourceError`` for what is no row of a wire format.
    """
    one_of("format", format, FORMATS)
    if isinstance(rows, Mapping | str | bytes | PathLike) or not isinstance(rows, Iterable):
        raise SourceError(f"expected a list of exported rows, got {kind_of(rows)}")
    tally = Tally()
    for number, row in enumerate(rows):
        if not isinstance(row, dict):
            raise SourceError(f"row {number}: expected an object, got {kind_of(row)}")
        sides = conversations(row)
        if not sides:
            raise SourceError(f"row {number}: {_unexported(row)}")
        for place, messages in enumerate(sides):
            check_calls(messages, format, len(sides) * number + place, None, tally)
    return roundtrip(SftOptions(formats=(format,)), tally)


def conversations(row: JsonObject) -> list[list[Any]]:
    """The conversations of one exported row of any format: one, or two for a pair."""
    if "preferred_output" in row:
        asked = (row.get("input") or {}).get("messages") or []
        return [[*asked, *row[side]] for side in ("preferred_output", "non_preferred_output")]
    for parts in _CONVERSATIONS:
        if all(_turns(row.get(part[-1])) is not None for part in parts):
            return [_joined(row, part) for part in parts]
    return []


def _joined(row: JsonObject, names: Sequence[str]) -> list[Any]:
    return [turn for name in names for turn in _turns(row.get(name)) or ()]


def _turns(value: object) -> list[Any] | None:
    """A list of messages, or those of a whole row, as the sides of built pairs are."""
    found = value.get("messages") if isinstance(value, dict) else value
    return found if isinstance(found, list) else None


def _unexported(row: JsonObject) -> str:
    """What is said of a row in which no conversation is found."""
    if {"chosen", "rejected"} <= row.keys():
        expected = "chosen and rejected as lists of messages, as export_preference writes them"
        return f"expected {expected}, got sides of another shape"
    return (
        "expected a row of a wire format, as training_rows and export_dataset make them (messages,"
        " or prompt and completion), got none"
    )


def check_calls(
    messages: Sequence[Any], format: WireFormat, row: int, line: int | None, tally: Tally
) -> None:
    """Count the calls of one conversation, and those that are not what a consumer reads."""
    found = []
    for at, arguments in _arguments(messages):
        tally.calls_checked += 1
        problem = problem_on_wire(arguments, objects=format in OBJECTS)
        if problem:
            found.append(Finding("tool_call_roundtrip", at, problem, row, line))
    if found:
        tally.calls_invalid += len(found)
        tally.gate("tool_call_roundtrip").add(found)


def _arguments(messages: Sequence[Any]) -> Iterator[tuple[str, object]]:
    """Place and arguments of every call; None for what is no call at all."""
    for place, message in enumerate(messages):
        calls = message.get("tool_calls") if isinstance(message, dict) else None
        for number, call in enumerate(calls if isinstance(calls, list) else [calls] * bool(calls)):
            at = f"$.messages[{place}].tool_calls[{number}].function.arguments"
            function = call.get("function", call) if isinstance(call, dict) else None
            yield at, function.get("arguments") if isinstance(function, dict) else None
