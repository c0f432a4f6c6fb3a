"""How ``final_text`` closes a conversation of steps, and how a rollout ended."""

from __future__ import annotations

from whileai_export.core.clean import strip_think
from whileai_export.shared.schema import NO_REPAIRS, JsonObject, Message, Repairs

_ENDS = {"error": "error", "length": "length"}


def closed(messages: list[Message], final: str | None) -> tuple[list[Message], Repairs]:
    """The conversation with its closing text as the last assistant turn, once."""
    text = final if final and not final.isspace() else ""
    last = messages[-1]["role"] if messages else "tool"
    if last == "tool":
        return _answered(messages, text), NO_REPAIRS
    if last == "user":
        return _closed_after_user(messages, text)
    return _closed_after_assistant(messages, text)


def said(text: str) -> str:
    """What is left of a text without reasoning and outer white space."""
    return strip_think(text)[0].strip() if "<" in text else text.strip()


def finish_of(row: JsonObject, closing: str | None) -> str | None:
    """Why a rollout ended badly: ``error`` or ``length``; None where it did not."""
    if closing and closing.lstrip().startswith("<agent error"):
        return "error"
    reason = row.get("finish_reason")
    return _ENDS.get(reason) if type(reason) is str else None


def _answered(messages: list[Message], text: str) -> list[Message]:
    return [*messages, {"role": "assistant", "content": text}] if text else messages


def _closed_after_user(messages: list[Message], text: str) -> tuple[list[Message], Repairs]:
    asked = len(messages)
    while asked and messages[asked - 1]["role"] == "user":
        asked -= 1
    if not asked or (text and not _repeats(messages[asked - 1], text)):
        return _answered(messages, text), NO_REPAIRS
    return messages[:asked], {"closing_turns_left_out": len(messages) - asked}


def _repeats(turn: Message, text: str) -> bool:
    return turn["role"] == "assistant" and said(turn["content"]) == said(text)


def _closed_after_assistant(messages: list[Message], text: str) -> tuple[list[Message], Repairs]:
    last = messages[-1]
    if not text or _repeats(last, text):
        return messages, NO_REPAIRS
    if said(last["content"]):
        return messages, {"final_text_differs": 1}
    if "tool_calls" in last:
        return _answered(messages, text), NO_REPAIRS
    # Reasoning without an answer stays in front of it, unless the answer would count as reasoning.
    joined = f"{last['content']}\n\n{text}" if last["content"].strip() else text
    content = joined if said(joined) == said(text) else text
    return [*messages[:-1], {**last, "content": content}], NO_REPAIRS
