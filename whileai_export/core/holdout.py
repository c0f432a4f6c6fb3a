"""Rows that stand in an evaluation set, by task or by ask."""

from __future__ import annotations

from whileai_export.core.folding import fold
from whileai_export.core.identity import task_key
from whileai_export.shared.findings import Finding
from whileai_export.shared.schema import Trajectory


def keys_of(trajectory: Trajectory) -> list[tuple[str, bytes]]:
    """What a row is recognised by: its task, and its asks in normal form."""
    keys = []
    if trajectory.task is not None:
        keys.append(("task", task_key(f"task {trajectory.task}")))
    return keys + [("ask", task_key(f"ask {fold(ask)}")) for ask in asks_of(trajectory)]


def asks_of(trajectory: Trajectory) -> list[str]:
    """What the row calls its ask, and what the user said first: either may be a mere label."""
    prompt = trajectory.columns.get("prompt")
    said = next((m["content"] for m in trajectory.messages if m["role"] == "user"), "")
    asks = [prompt if isinstance(prompt, str) else "", said]
    return [ask for ask in dict.fromkeys(asks) if ask]


def held_out(trajectory: Trajectory, evaluation: frozenset[bytes]) -> list[Finding]:
    """A finding when the row's task or ask is one of the evaluation set's."""
    return [
        Finding("holdout", f"$.{kind}", f"the row's {kind} stands in an evaluation file")
        for kind, key in keys_of(trajectory)
        if key in evaluation
    ][:1]
