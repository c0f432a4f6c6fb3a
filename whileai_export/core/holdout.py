"""Rows that stand in an evaluation set, by task or by ask."""

from __future__ import annotations

from whileai_export.core.folding import fold
from whileai_export.core.identity import task_key
from whileai_export.shared.findings import Finding
from whileai_export.shared.schema import Trajectory


def keys_of(trajectory: Trajectory) -> dict[str, bytes]:
    """What a row is recognised by: its task, and its ask in normal form."""
    keys = {}
    if trajectory.task is not None:
        keys["task"] = task_key(f"task {trajectory.task}")
    ask = ask_of(trajectory)
    if ask:
        keys["ask"] = task_key(f"ask {fold(ask)}")
    return keys


def ask_of(trajectory: Trajectory) -> str:
    """What the user asked first."""
    prompt = trajectory.columns.get("prompt")
    if isinstance(prompt, str):
        return prompt
    return next((m["content"] for m in trajectory.messages if m["role"] == "user"), "")


def held_out(trajectory: Trajectory, evaluation: frozenset[bytes]) -> list[Finding]:
    """A finding when the row's task or ask is one of the evaluation set's."""
    return [
        Finding("holdout", f"$.{kind}", f"the row's {kind} stands in an evaluation file")
        for kind, key in keys_of(trajectory).items()
        if key in evaluation
    ][:1]
