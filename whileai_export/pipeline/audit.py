"""The gates over bytes that are on the disk already, as a trainer would read them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import orjson

from whileai_export.core.encoding import problem_on_wire
from whileai_export.core.identity import conversation_key
from whileai_export.core.leak import leaks
from whileai_export.core.needles import Needle, needles
from whileai_export.core.wire import OBJECTS
from whileai_export.io.hashing import file_sha256
from whileai_export.io.lines import lines
from whileai_export.pipeline.door import read_row
from whileai_export.pipeline.job import Job
from whileai_export.pipeline.report import leaks as leak_summary
from whileai_export.pipeline.report import roundtrip
from whileai_export.shared.errors import BadRow
from whileai_export.shared.findings import Finding
from whileai_export.shared.options import SftOptions
from whileai_export.shared.schema import JsonObject, Message, Surroundings, WireFormat
from whileai_export.shared.tally import Tally

#: Where conversations stand in rows of any format: each entry is one conversation.
_CONVERSATIONS = (
    (("messages",),),
    (("prompt", "completion"),),
    (("prompt", "chosen"), ("prompt", "rejected")),
)
_UNJUDGED = Job(SftOptions(), Surroundings())


def conversations(row: JsonObject) -> list[list[JsonObject]]:
    """The conversations of one exported row of any format: one, or two for a pair."""
    if "preferred_output" in row:
        asked = (row.get("input") or {}).get("messages") or []
        return [[*asked, *row[side]] for side in ("preferred_output", "non_preferred_output")]
    for parts in _CONVERSATIONS:
        if all(isinstance(row.get(part[-1]), list) for part in parts):
            return [_joined(row, part) for part in parts]
    return []


def _joined(row: JsonObject, names: Sequence[str]) -> list[JsonObject]:
    found: list[JsonObject] = []
    for name in names:
        if isinstance(row.get(name), list):
            found.extend(row[name])
    return found


def exported_roundtrip(rows: Iterable[JsonObject], format: WireFormat) -> dict[str, Any]:
    """The round-trip gate's report over exported rows; sides of a pair count as rows."""
    tally = Tally()
    for number, row in enumerate(rows):
        sides = conversations(row)
        for place, messages in enumerate(sides):
            _check_calls(messages, format, len(sides) * number + place, None, tally)
    return roundtrip(SftOptions(formats=(format,)), tally)


def _check_calls(
    messages: list[JsonObject], format: WireFormat, row: int, line: int | None, tally: Tally
) -> None:
    found = []
    for place, message in enumerate(messages):
        for number, call in enumerate(message.get("tool_calls") or ()):
            tally.calls_checked += 1
            arguments = (call.get("function") or call).get("arguments")
            problem = problem_on_wire(arguments, objects=format in OBJECTS)
            if problem:
                at = f"$.messages[{place}].tool_calls[{number}].function.arguments"
                found.append(Finding("tool_call_roundtrip", at, problem, row, line))
    if found:
        tally.calls_invalid += len(found)
        tally.gate("tool_call_roundtrip").add(found)


def audit(path: Path, format: WireFormat, *, privileged_from: Path | None) -> dict[str, Any]:
    """What the gates see in a published file. ``privileged_from``: the staged private rows.

    Conversations are joined with private blocks by their ask, which every format keeps.
    """
    private = {} if privileged_from is None else _private_by_ask(privileged_from)
    tally = Tally()
    for line, raw in lines(path):
        number = tally.read
        tally.read += 1
        sides = conversations(orjson.loads(raw))
        for place, messages in enumerate(sides):
            row = len(sides) * number + place
            _check_calls(messages, format, row, line, tally)
            _check_leaks(messages, private, row, line, tally)
    return {
        "rows": tally.read,
        "sha256": file_sha256(path),
        "tool_call_roundtrip": roundtrip(SftOptions(formats=(format,)), tally),
        "privileged_leaks": leak_summary(tally),
    }


def _check_leaks(
    wire: list[JsonObject],
    private: dict[bytes, tuple[Needle, ...]],
    row: int,
    line: int,
    tally: Tally,
) -> None:
    plain = [{k: v for k, v in turn.items() if k != "weight"} for turn in wire]
    messages = read_row({"messages": plain}, _UNJUDGED).messages
    searched = private.get(_ask_key(messages), ())
    if not searched:
        return
    found, disclosed = leaks(messages, None, searched)
    seen = tally.gate("privileged_leak")
    seen.checked += 1
    seen.disclosed += disclosed
    if found:
        seen.add([finding.of(row, line) for finding in found])


def _private_by_ask(path: Path) -> dict[bytes, tuple[Needle, ...]]:
    found: dict[bytes, dict[Needle, None]] = {}
    for _, raw in lines(path):
        try:
            trajectory = read_row(raw, _UNJUDGED)
        except BadRow:
            continue
        for needle in needles(trajectory.privileged):
            found.setdefault(_ask_key(trajectory.messages), {})[needle] = None
    return {ask: tuple(known) for ask, known in found.items()}


def _ask_key(messages: Sequence[Message]) -> bytes:
    """The conversation's first user turn and the system prompt before it."""
    for place, message in enumerate(messages):
        if message["role"] == "user":
            return conversation_key([m for m in messages[: place + 1] if m["role"] != "assistant"])
    return b""
