"""What a published column says, in a few words."""

from __future__ import annotations

from collections.abc import Mapping

MEANINGS: Mapping[str, str] = {
    "messages": "the conversation, the system prompt first",
    "loss_mask": "one 0 or 1 a message: 1 is trained",
    "completion": "the messages that are trained",
    "label": "whether the rollout passed: reward 0.5 or more",
    "tools": "the tools' schemas",
    "input": "the messages before the sides part, and the tools",
    "chosen": "the better side",
    "rejected": "the worse side",
    "preferred_output": "the better side's message",
    "non_preferred_output": "the worse side's message",
    "reward": "the grade, from 0 to 1",
    "prompt_text": "the ask",
    "task": "what the row's rollouts have in common",
    "row_id": "the same in every export of the simulation",
    "group_id": "the task, as a digest",
    "k": "rollouts of the task, graded or not",
    "n0": "rollouts of the task with a reward below 0.5",
    "n1": "rollouts of the task with a reward above 0.5",
    "reward_mean": "mean reward of the task's rollouts",
    "reward_std": "standard deviation of the rewards of the task's rollouts",
    "unroll": "which turn of how many the sample ends at",
    "tool_output_truncated": "tool outputs that were cut",
    "tool_output_chars_cut": "characters that were cut from tool outputs",
    "chosen_score": "reward of the better side",
    "rejected_score": "reward of the worse side",
    "margin": "difference of the two rewards",
    "tie": "whether the two rewards are equal",
    "chosen_model": "model of the better side",
    "rejected_model": "model of the worse side",
    "same_policy": "whether both sides are of one model",
    "length_delta": "characters that the better side says more than the worse",
    "first_turn_differs": "whether the sides part at their first turn",
    "chosen_reason": "the grader's words on the better side",
    "rejected_reason": "the grader's words on the worse side",
    "rejected_failure_class": "how the worse side failed",
}
#: What stands under ``prompt``: messages where a trainer reads it, else the ask.
PROMPTS: Mapping[str, str] = {"string": "the ask", "json": "the messages before the completion"}


def meaning(column: str, kind: str = "") -> str:
    """Of a column that has no entry, nothing: it was carried along under its own name."""
    return PROMPTS.get(kind, "") if column == "prompt" else MEANINGS.get(column, "")
