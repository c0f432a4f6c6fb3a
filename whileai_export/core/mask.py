"""Which turns carry loss: one 0 or 1 per message.

Source of the modes: rlhf-book chapter 4, "Implementation Details"; tool output never carries
loss (chapter 13).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from whileai_export.shared.schema import MaskMode, Message


def is_empty(message: Message) -> bool:
    """An assistant turn with neither text nor calls: there is nothing in it to learn."""
    return "tool_calls" not in message and not message["content"].strip()


def by_role(messages: Sequence[Mapping[str, Any]], mode: MaskMode) -> list[int]:
    """1 on every assistant turn, or on the last one alone."""
    mask = [1 if _role(message) == "assistant" else 0 for message in messages]
    return mask if mode == "assistant" else last_only(mask)


def _role(message: object) -> object:
    return message.get("role") if isinstance(message, Mapping) else None


def trained(messages: Sequence[Message], mode: MaskMode) -> list[int]:
    """The exporters' mask: by role, without the assistant turns that say nothing."""
    mask = [1 if m["role"] == "assistant" and not is_empty(m) else 0 for m in messages]
    return mask if mode == "assistant" else last_only(mask)


def still_trained(mask: Sequence[int], messages: Sequence[Message]) -> list[int]:
    """A mask that a row came with, over the turns it still has; what says nothing now gets 0."""
    pairs = zip(mask, messages, strict=False)
    return [1 if carries_loss and not is_empty(m) else 0 for carries_loss, m in pairs]


def last_only(mask: list[int]) -> list[int]:
    """The same mask with nothing but its last 1."""
    final = [0] * len(mask)
    for place in range(len(mask) - 1, -1, -1):
        if mask[place]:
            final[place] = 1
            break
    return final
