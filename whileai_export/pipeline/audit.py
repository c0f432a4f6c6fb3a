"""The gates over bytes that are on the disk already, as a trainer would read them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from whileai_export.core.identity import task_key
from whileai_export.core.leak import leaks
from whileai_export.core.needles import Needle, needles
from whileai_export.core.structure import structure
from whileai_export.io.hashing import file_sha256
from whileai_export.io.lines import lines
from whileai_export.pipeline.door import read_row
from whileai_export.pipeline.exported import check_calls, conversations
from whileai_export.pipeline.job import Job
from whileai_export.pipeline.report import leaks as leak_summary
from whileai_export.pipeline.report import roundtrip, summary
from whileai_export.shared.errors import BadRow, SourceError
from whileai_export.shared.options import SftOptions
from whileai_export.shared.schema import JsonObject, Message, Surroundings, WireFormat
from whileai_export.shared.tally import Tally

__all__ = ["audit", "conversations"]

_UNJUDGED = Job(SftOptions(), Surroundings())


class _Private:
    """The privileged values of the staged rows: by row id, else by what the user asked."""

    def __init__(self, path: Path | None) -> None:
        self.by_id: dict[str, tuple[Needle, ...]] = {}
        self.by_ask: dict[bytes, dict[Needle, None]] = {}
        for _, raw in lines(path) if path is not None else ():
            try:
                trajectory = read_row(raw, _UNJUDGED)
            except BadRow:
                continue
            found = needles(trajectory.privileged)
            if found:
                self.by_id[str(trajectory.columns.get("row_id"))] = found
                ask = self.by_ask.setdefault(_ask_key(trajectory.messages), {})
                ask.update(dict.fromkeys(found))

    def of(self, row: JsonObject, messages: list[Message]) -> tuple[Needle, ...]:
        """What a conversation must not quote. Samples and pairs have ids of their own."""
        known = self.by_id.get(str(row.get("row_id")))
        return tuple(self.by_ask.get(_ask_key(messages), ())) if known is None else known


def audit(path: Path, format: WireFormat, *, privileged_from: Path | None) -> dict[str, Any]:
    """What the gates see in a published file. ``privileged_from``: the staged private rows.

    Raises ``SourceError`` for a file that holds something else than exported rows.
    """
    private = _Private(privileged_from)
    tally = Tally()
    for line, raw in lines(path):
        number = tally.read
        tally.read += 1
        try:
            row = orjson.loads(raw)
            sides = conversations(row)
            for place, messages in enumerate(sides):
                at = len(sides) * number + place
                check_calls(messages, format, at, line, tally)
                _check_leaks(row, messages, private, at, line, tally)
                _check_structure(messages, at, line, tally)
        except (orjson.JSONDecodeError, BadRow, AttributeError, TypeError, KeyError):
            # The parser's words may quote the file.
            raise SourceError("expected an exported row, got something else", line=line) from None
    return {
        "rows": tally.read,
        "sha256": file_sha256(path),
        "tool_call_roundtrip": roundtrip(SftOptions(formats=(format,)), tally),
        "privileged_leaks": leak_summary(tally),
        "structure": _structure_seen(tally),
    }


def _check_leaks(
    row: JsonObject,
    wire: Sequence[JsonObject],
    private: _Private,
    number: int,
    line: int,
    tally: Tally,
) -> None:
    plain = [{k: v for k, v in turn.items() if k != "weight"} for turn in wire]
    messages = read_row({"messages": plain}, _UNJUDGED).messages
    searched = private.of(row, messages)
    if not searched:
        return
    found, disclosed = leaks(messages, None, searched)
    seen = tally.gate("privileged_leak")
    seen.checked += 1
    seen.disclosed += disclosed
    if found:
        seen.add([finding.of(number, line) for finding in found])


def _check_structure(wire: Sequence[JsonObject], number: int, line: int, tally: Tally) -> None:
    """Over the turns as they stand: reading them as a source would mend their ids."""
    seen = tally.gate("structure")
    seen.checked += 1
    found = structure([_outline(turn) for turn in wire])
    if found:
        seen.add([finding.of(number, line) for finding in found])


def _outline(turn: JsonObject) -> Message:
    """The role of a turn, and the ids of its calls or of the call that it answers."""
    outline: Message = {"role": turn["role"], "content": ""}
    if turn.get("tool_calls"):
        outline["tool_calls"] = [
            {"id": call.get("id", ""), "name": "", "arguments": {}} for call in turn["tool_calls"]
        ]
    if "tool_call_id" in turn:
        outline["tool_call_id"] = turn["tool_call_id"]
    return outline


def _structure_seen(tally: Tally) -> dict[str, Any]:
    seen = tally.gate("structure")
    return {
        "checked": seen.checked > 0,
        "n_checked": seen.checked,
        "count": seen.count,
        "named": [finding.plain() for finding in seen.named],
        "summary": summary("structure", seen.checked, seen.count, "conversation"),
    }


def _ask_key(messages: Sequence[Message]) -> bytes:
    """The conversation's first user turn; the system prompt may be another by now."""
    return task_key(next((m["content"].strip() for m in messages if m["role"] == "user"), ""))
