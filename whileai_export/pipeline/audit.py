"""The gates over bytes that are on the disk already, as a trainer would read them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from whileai_export.core.holdout import held_out
from whileai_export.core.leak import leaks
from whileai_export.core.messages import read_messages
from whileai_export.core.needles import Needle
from whileai_export.core.structure import structure
from whileai_export.io.hashing import file_sha256
from whileai_export.io.lines import lines
from whileai_export.pipeline.exported import check_calls, conversations
from whileai_export.pipeline.private_rows import NOTHING_PRIVATE, PrivateRows
from whileai_export.pipeline.report import leaks as leak_summary
from whileai_export.pipeline.report import roundtrip, summary
from whileai_export.pipeline.warning_gates import WARNING
from whileai_export.shared.errors import BadRow, SourceError
from whileai_export.shared.findings import Finding, Gate
from whileai_export.shared.options import SftOptions
from whileai_export.shared.schema import JsonObject, Message, Trajectory, WireFormat
from whileai_export.shared.tally import Tally

__all__ = ["audit", "conversations"]


def audit(
    path: Path,
    format: WireFormat,
    *,
    private: PrivateRows = NOTHING_PRIVATE,
    gates: Sequence[Gate] = (),
    holdout: frozenset[bytes] = frozenset(),
) -> dict[str, Any]:
    """What the gates see in a published file. ``private``: the rows that it was made of.

    ``gates`` are the warning gates to run beside the three that always do; ``holdout``: what the
    rows of the evaluation files are recognised by. Where a format has no column for the task, a
    row is recognised by its ask alone.
    Raises ``SourceError`` for a file that holds something else than exported rows.
    """
    tally = Tally()
    for line, raw in lines(path):
        number = tally.read
        tally.read += 1
        try:
            row = orjson.loads(raw)
            sides = conversations(row)
            if not sides:
                raise BadRow("expected a conversation")
            _check_holdout(row, sides, holdout, number, line, tally)
            for place, messages in enumerate(sides):
                at = len(sides) * number + place
                check_calls(messages, format, at, line, tally)
                said = _said(messages)
                _check_leaks(said, private.needles(row, said), at, line, tally)
                _check_structure(messages, at, line, tally)
                for gate in gates:
                    compared, found = WARNING[gate](_trajectory(said, row))
                    _seen(gate, compared, found, at, line, tally)
        except (orjson.JSONDecodeError, BadRow, AttributeError, TypeError, KeyError):
            # The parser's words may quote the file.
            raise SourceError("expected an exported row, got something else", line=line) from None
    return {
        "rows": tally.read,
        "sha256": file_sha256(path),
        "tool_call_roundtrip": roundtrip(SftOptions(formats=(format,)), tally),
        "privileged_leaks": leak_summary(tally),
        "structure": _summed("structure", tally),
        "holdout": _summed("holdout", tally, "row"),
        "warned": {gate: _summed(gate, tally) for gate in gates},
    }


def _said(wire: Sequence[JsonObject]) -> list[Message]:
    return read_messages([{k: v for k, v in turn.items() if k != "weight"} for turn in wire])[0]


def _trajectory(messages: list[Message], row: JsonObject) -> Trajectory:
    """A conversation with the tools that its row declares, in whatever format."""
    tools = row.get("tools") or (row.get("input") or {}).get("tools")
    return Trajectory(messages, tools, {}, None, "messages")


def _check_leaks(
    messages: list[Message],
    searched: tuple[Needle, ...],
    number: int,
    line: int,
    tally: Tally,
) -> None:
    if not searched:
        return
    found, disclosed = leaks(messages, None, searched)
    seen = tally.gate("privileged_leak")
    seen.checked += 1
    seen.disclosed += disclosed
    if found:
        seen.add([finding.of(number, line) for finding in found])


def _check_holdout(
    row: JsonObject,
    sides: Sequence[Sequence[JsonObject]],
    evaluation: frozenset[bytes],
    number: int,
    line: int,
    tally: Tally,
) -> None:
    """Over a whole row: of a pair both sides, though they share a task and an ask."""
    if evaluation:
        asked = [_asked(_said(messages), row) for messages in sides]
        found = [finding for side in asked for finding in held_out(side, evaluation)]
        _seen("holdout", 1, found[:1], number, line, tally)


def _asked(messages: list[Message], row: JsonObject) -> Trajectory:
    """A conversation with what its row is recognised by: the task, and the ask where it is text."""
    asks = (row.get(name) for name in ("prompt_text", "prompt"))
    ask = next((text for text in asks if isinstance(text, str)), None)
    task = row.get("task")
    return Trajectory(
        messages,
        None,
        {} if ask is None else {"prompt": ask},
        str(task) if isinstance(task, str | int) else None,
        "messages",
    )


def _check_structure(wire: Sequence[JsonObject], number: int, line: int, tally: Tally) -> None:
    """Over the turns as they stand: reading them as a source would mend their ids."""
    _seen("structure", 1, structure([_outline(turn) for turn in wire]), number, line, tally)


def _seen(
    gate: Gate, compared: int, found: list[Finding], number: int, line: int, tally: Tally
) -> None:
    seen = tally.gate(gate)
    seen.checked += compared
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


def _summed(gate: Gate, tally: Tally, of: str = "conversation") -> dict[str, Any]:
    seen = tally.gate(gate)
    return {
        "checked": seen.checked > 0,
        "n_checked": seen.checked,
        "count": seen.count,
        "named": [finding.plain() for finding in seen.named],
        "summary": summary(gate, seen.checked, seen.count, of),
    }
