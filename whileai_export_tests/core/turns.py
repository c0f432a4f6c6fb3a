"""Turns of a conversation, and what the leak gate finds in them."""

from __future__ import annotations

from typing import Any

from whileai_export.core.leak import leaks, needles
from whileai_export.core.round_trip import round_trip


def user(content: str) -> dict[str, Any]:
    return {"role": "user", "content": content}


def assistant(content: str = "", **rest: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content, **rest}


def tool(content: str) -> dict[str, Any]:
    return {"role": "tool", "content": content, "tool_call_id": "a"}


def call(arguments: Any) -> dict[str, Any]:
    return {"id": "a", "name": "note", "arguments": arguments}


def found(messages: list, block: object, final: str | None = None) -> list[tuple[str, str]]:
    """Place and field of every finding; the texts at hand must change nothing."""
    searched = needles(block)
    findings, disclosed = leaks(messages, final, searched)
    assert (findings, disclosed) == leaks(messages, final, searched, round_trip(messages)[1])
    return [(finding.at, finding.field) for finding in findings]
