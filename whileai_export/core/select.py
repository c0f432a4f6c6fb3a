"""Which readable rows are written, as far as one row alone can tell."""

from __future__ import annotations

from collections.abc import Sequence

from whileai_export.shared.options import Selection
from whileai_export.shared.schema import Message, Trajectory


def left_out(trajectory: Trajectory, selection: Selection) -> str | None:
    """The reason why a row is not written, or None."""
    if selection.drop_failed and trajectory.finish is not None:
        return ended(trajectory.finish)
    if selection.min_reward is not None:
        if trajectory.reward is None:
            return "ungraded"
        if trajectory.reward < selection.min_reward - 1e-9:
            return "min_reward"
    return None


def ended(finish: str) -> str:
    """The reason where a rollout ended badly: ``cut`` at its limit, or ``failed``."""
    return "cut" if finish == "length" else "failed"


def trimmed(messages: list[Message]) -> list[Message]:
    """The conversation up to its last assistant turn; one without stays whole."""
    end = len(messages)
    while end and messages[end - 1]["role"] != "assistant":
        end -= 1
    return messages[:end] if 0 < end < len(messages) else messages


def ends_open(messages: Sequence[Message]) -> bool:
    """The conversation ends on a tool result or a user turn."""
    return bool(messages) and messages[-1]["role"] in ("tool", "user")
