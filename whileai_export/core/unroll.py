"""One conversation of N assistant turns as N samples, each trained on its last turn alone.

Source: rlhf-book chapter 4, "Implementation Details" (multi-turn masking).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

from whileai_export.core.identity import turn_id
from whileai_export.core.mask import is_empty
from whileai_export.shared.schema import GROUP_FIELDS, JsonObject, Message

#: The columns in which samples of one row may differ.
VARYING = frozenset(("unroll", "row_id", "tool_output_truncated", "tool_output_chars_cut"))


def sample_ends(messages: Sequence[Message]) -> list[tuple[int, int]]:
    """(turn, end) of every sample: its number among the assistant turns, and its length.

    An assistant turn that says nothing gets no sample, and keeps its number.
    """
    turns = [place for place, m in enumerate(messages) if m["role"] == "assistant"]
    return [
        (turn, place + 1)
        for turn, place in enumerate(turns, 1)
        if not is_empty(messages[place])
    ]  # fmt: skip


def unrolled_from(columns: JsonObject) -> JsonObject:
    """Which row the samples are of. ``columns``: everything that the row carries."""
    prompt = columns.get("prompt")
    origin: JsonObject = {
        "prompt_sha1": _sha1(prompt if isinstance(prompt, str) else ""),
        "rollout_index": columns.get("rollout_index"),
    }
    if "scenario_id" in columns:
        origin["scenario_id"] = columns["scenario_id"]
    return origin


def shared_columns(columns: JsonObject, origin: JsonObject) -> JsonObject:
    """What all samples of a row carry. Samples are no group of rollouts."""
    lineage: Any = columns.get("lineage")
    known = lineage if isinstance(lineage, dict) else {} if lineage is None else {"of": lineage}
    return {**without_group(columns), "lineage": {**known, "unrolled_from": origin}}


def without_group(columns: JsonObject) -> JsonObject:
    """The columns of a row that is no rollout of a group any more."""
    return {name: value for name, value in columns.items() if name not in GROUP_FIELDS}


def sample_columns(shared: JsonObject, turn: int, turns: int) -> JsonObject:
    """The columns of one sample: what all carry, and where it stands in the row."""
    sample = {**shared, "unroll": {"turn": turn, "turns": turns}}
    if isinstance(sample.get("row_id"), str):
        sample["row_id"] = turn_id(sample["row_id"], turn)
    return sample


def masks(ends: Sequence[tuple[int, int]]) -> Iterator[list[int]]:
    """One mask a sample: 1 on its last message."""
    for _, end in ends:
        yield [0] * (end - 1) + [1]


def _sha1(text: str) -> str:
    return hashlib.sha1(text.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()[:12]
