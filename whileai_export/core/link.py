"""Calls and their results: ids for those that have none, links within the turn, one order."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import count

from whileai_export.shared.schema import NO_REPAIRS, Message, Repairs, ToolCall

_FIRST_IDS = tuple(f"call_{n:04d}" for n in range(64))


def call_id(number: int) -> str:
    """The id of a call that came without one."""
    return _FIRST_IDS[number] if number < len(_FIRST_IDS) else f"call_{number:04d}"


def link(messages: list[Message]) -> tuple[list[Message], Repairs]:
    """The turns with an id on every call, and each result beside the call it answers.

    A result belongs to the turn right before it, never to an earlier one: ids are used again in
    later turns. No turn is dropped; a result that answers nothing stays where it is.
    """
    if _stands(messages):
        return messages, NO_REPAIRS
    linked: list[Message] = []
    fresh: Iterator[str] | None = None
    generated = joined = reordered = 0
    place, end = 0, len(messages)
    while place < end:
        message = messages[place]
        place += 1
        calls = message.get("tool_calls")
        if calls is None:
            linked.append(message)
            continue
        missing = [call["id"] for call in calls].count("")
        if missing:
            fresh = fresh or _fresh_ids(messages)
            calls = [call if call["id"] else _with_id(call, next(fresh)) for call in calls]
            message = {**message, "tool_calls": calls}
            generated += missing
        linked.append(message)
        start = place
        while place < end and messages[place]["role"] == "tool":
            place += 1
        results, ids, moved = _answers(calls, messages[start:place])
        linked += results
        joined += ids
        reordered += moved
    return linked, _counted(generated, joined, reordered)


def _fresh_ids(messages: Sequence[Message]) -> Iterator[str]:
    """Ids in order, without those that stand anywhere in the row."""
    taken = {message.get("tool_call_id") for message in messages}
    taken |= {call["id"] for message in messages for call in message.get("tool_calls", ())}
    return (id for id in map(call_id, count()) if id not in taken)


def _with_id(call: ToolCall, id: str) -> ToolCall:
    return {"id": id, "name": call["name"], "arguments": call["arguments"]}


def _stands(messages: Sequence[Message]) -> bool:
    """Whether every call has an id and its result, if any, in call order. The usual case."""
    waiting: Sequence[ToolCall] = ()
    number = 0
    for message in messages:
        if "tool_calls" in message:
            waiting, number = message["tool_calls"], 0
            for call in waiting:
                if not call["id"]:
                    return False
        elif message["role"] == "tool":
            if number >= len(waiting) or waiting[number]["id"] != message.get("tool_call_id"):
                return False
            number += 1
        else:
            waiting = ()
    return True


def _counted(generated: int, joined: int, reordered: int) -> Repairs:
    if not generated and not joined and not reordered:
        return NO_REPAIRS
    counts = {
        "generated_ids": generated,
        "results_linked": joined,
        "results_reordered": reordered,
    }
    return {kind: count for kind, count in counts.items() if count}


def _answers(calls: Sequence[ToolCall], results: list[Message]) -> tuple[list[Message], int, bool]:
    """The results of one turn in call order, how many had to be linked, whether any moved."""
    if len(results) == 1 == len(calls):
        recorded = results[0].get("tool_call_id")
        if recorded is not None:
            return results, 0, False
        return [{**results[0], "tool_call_id": calls[0]["id"]}], 1, False
    if [r.get("tool_call_id") for r in results] == [c["id"] for c in calls]:
        return results, 0, False
    loose = ["tool_call_id" not in result for result in results]
    known = _claims([c["id"] for c in calls], [r.get("tool_call_id") for r in results], {})
    names = [r.get("name") if free else None for r, free in zip(results, loose, strict=True)]
    named = _claims([c["name"] for c in calls], names, known)
    answered = _claims([""] * len(calls), ["" if free else None for free in loose], named)
    turns = list(results)
    for n in answered.keys() - known.keys():
        turns[n] = {**results[n], "tool_call_id": calls[answered[n]]["id"]}
    slots = sorted(answered)
    ordered = sorted(slots, key=answered.__getitem__)
    for slot, turn in zip(slots, [turns[n] for n in ordered], strict=True):
        turns[slot] = turn
    return turns, len(answered) - len(known), ordered != slots


def _claims(
    wanted: Sequence[str], offered: Sequence[str | None], before: dict[int, int]
) -> dict[int, int]:
    """Which result answers which call: the oldest open one that wants what the result offers."""
    taken = set(before.values())
    waiting: dict[str, deque[int]] = {}
    for number, key in enumerate(wanted):
        if number not in taken:
            waiting.setdefault(key, deque()).append(number)
    claims = dict(before)
    for n, offer in enumerate(offered):
        if n not in claims and offer is not None and waiting.get(offer):
            claims[n] = waiting[offer].popleft()
    return claims
