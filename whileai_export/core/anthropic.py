"""Anthropic's content blocks: text, thinking, tool_use and tool_result."""

from __future__ import annotations

from typing import NamedTuple

from whileai_export.core.calls import read_call, recorded_id
from whileai_export.core.content import output_text, part_text
from whileai_export.core.repairs import added
from whileai_export.core.values import kind_of, placed
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import JsonObject, Message, Repairs, ToolCall

_BLOCKS = frozenset({"thinking", "redacted_thinking", "tool_use", "tool_result"})


class Said(NamedTuple):
    """What one assistant turn holds, whatever it was recorded in."""

    text: str
    reasoning: str
    calls: list[ToolCall]
    repairs: Repairs


def has_blocks(content: list[object]) -> bool:
    """Whether a list of parts holds more than parts of text."""
    return any(_kind_of_block(part) in _BLOCKS for part in content)


def said_in_blocks(content: list[object]) -> Said:
    """An assistant turn: its texts joined, its thoughts, its calls."""
    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[ToolCall] = []
    repairs: Repairs = {"anthropic_blocks": len(content)}
    for n, block in enumerate(content):
        at = f".content[{n}]"
        kind = _kind_of_block(block)
        if kind == "tool_use":
            call, found = _call(block, at)
            calls.append(call)
            repairs = added(repairs, found)
        elif kind == "thinking":
            thoughts.append(_thought(block, at))
        elif kind == "redacted_thinking":
            repairs = added(repairs, {"redacted_thinking_left_out": 1})
        elif kind == "tool_result":
            raise BadRow("expected a tool_result in a user turn, got it in an assistant turn", at)
        else:
            texts.append(part_text(block, at))
    return Said("".join(texts), "\n\n".join(filter(None, thoughts)), calls, repairs)


def answered_in_blocks(content: list[object]) -> tuple[list[Message], Repairs]:
    """A user turn: the tool messages first, for they answer the turn before; then its text."""
    results: list[Message] = []
    texts: list[str] = []
    repairs: Repairs = {"anthropic_blocks": len(content)}
    for n, block in enumerate(content):
        at = f".content[{n}]"
        kind = _kind_of_block(block)
        if kind == "tool_result":
            turn, found = _result(block, at)
            results.append(turn)
            repairs = added(repairs, found)
        elif kind in _BLOCKS:
            raise BadRow(f"expected a {kind} in an assistant turn, got it in a user turn", at)
        else:
            texts.append(part_text(block, at))
    if texts:
        results.append({"role": "user", "content": "".join(texts)})
    return results, repairs


def _kind_of_block(block: object) -> str | None:
    kind = block.get("type") if type(block) is dict else None
    return kind if type(kind) is str else None


def _call(block: object, at: str) -> tuple[ToolCall, Repairs]:
    try:
        call, repairs = read_call(block)
    except BadRow as bad:
        raise placed(bad, at) from None
    # ``input`` is this format's own name for the arguments.
    return call, {kind: count for kind, count in repairs.items() if kind != "aliases_read"}


def _thought(block: object, at: str) -> str:
    text = block.get("thinking") if type(block) is dict else None
    if type(text) is not str:
        raise BadRow(f"expected text, got {kind_of(text)}", f"{at}.thinking")
    return text


def _result(block: object, at: str) -> tuple[Message, Repairs]:
    source: JsonObject = block if type(block) is dict else {}
    text, repairs = output_text(source.get("content", ""), f"{at}.content")
    turn: Message = {"role": "tool", "content": text}
    id = recorded_id(source.get("tool_use_id"), f"{at}.tool_use_id")
    if id:
        turn["tool_call_id"] = id
    if source.get("is_error") is True:
        repairs = added(repairs, {"error_flags_left_out": 1})
    return turn, repairs
