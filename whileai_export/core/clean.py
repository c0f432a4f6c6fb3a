"""What is taken out before a row is written: reasoning, and tool output past the limit."""

from __future__ import annotations

from whileai_export.core.repairs import added
from whileai_export.core.think import Think
from whileai_export.shared.schema import NO_REPAIRS, Message, Repairs

_ONE_CLOSED: Repairs = {"think_closed": 1}
# What reasoning leaves behind is read once more: a fence may begin a line only now.
_ROUNDS = 5


def is_one_block(text: str) -> bool:
    """Whether one closed block of reasoning at the beginning holds every ``<`` of the text."""
    if not text.startswith("<think>"):
        return False
    closing = text.find("<", 1)
    return text.startswith("</think>", closing) and text.find("<", closing + 1) < 0


def strip_think(text: str) -> tuple[str, Repairs]:
    """The text without its reasoning, and what was removed, by kind."""
    if "<" not in text:
        return text, NO_REPAIRS
    # Most reasoning is one plain block before the answer; everything else takes the walk.
    if is_one_block(text):
        block, _, shown = text.partition("</think>")
        if "`" not in block and "~" not in block:
            return shown.strip(), _ONE_CLOSED
    removed = NO_REPAIRS
    for _ in range(_ROUNDS):
        think = Think(text)
        if not think.removed:
            break
        text = "".join(think.kept).strip()
        removed = added(removed, think.removed)
    return text, removed


def without_think(messages: list[Message]) -> tuple[list[Message], Repairs]:
    """The turns without the assistant's reasoning; only changed turns are new objects."""
    cleaned = messages
    repairs: dict[str, int] = {}
    for n, message in enumerate(messages):
        if message["role"] != "assistant":
            continue
        text = message["content"]
        removed = NO_REPAIRS
        if "<" in text:
            text, removed = strip_think(text)
        if "reasoning_content" in message:
            removed = {**removed, "reasoning_content_dropped": 1}
        if not removed:
            continue
        if cleaned is messages:
            cleaned = messages.copy()
        cleaned[n] = changed = message.copy()
        changed["content"] = text
        changed.pop("reasoning_content", None)
        for kind, count in removed.items():
            repairs[kind] = repairs.get(kind, 0) + count
    return cleaned, repairs


def cap_output(text: str, limit: int) -> tuple[str, int]:
    """The first ``limit`` characters with a marker, and how many were cut."""
    cut = len(text) - limit
    if cut <= 0:
        return text, 0
    return f"{text[:limit]}\n[... {cut} chars of tool output truncated]", cut


def capped(messages: list[Message], limit: int) -> tuple[list[Message], list[int]]:
    """The turns with long tool output cut, and how many characters each lost; none: no entry."""
    shortened: list[Message] = []
    cuts: list[int] = []
    for message in messages:
        kept, cut = message, 0
        if message["role"] == "tool":
            content, cut = cap_output(message["content"], limit)
            kept = {**message, "content": content} if cut else message
        shortened.append(kept)
        cuts.append(cut)
    return (shortened, cuts) if any(cuts) else (messages, [])
