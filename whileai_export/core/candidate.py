"""What pairing needs to know of one graded rollout, and which rollout comes before another."""

from __future__ import annotations

from typing import NamedTuple


class Candidate(NamedTuple):
    """One graded rollout that can stand in a pair."""

    place: int
    """Where its row can be found again."""
    ask: bytes
    reward: float
    rollout_index: int | None
    key: bytes
    """Of the whole conversation."""
    reply: bytes
    """Of everything after the ask."""
    length: int
    """Characters of all that the assistant said."""
    row: bytes = b""
    """Of the row itself; breaks the last tie between equal conversations."""


def rank(candidate: Candidate) -> tuple[float, bool, int, bytes, bytes]:
    """Best reward first, then the recorded rollout, then the conversation's sha256."""
    index = candidate.rollout_index
    return -candidate.reward, index is None, index or 0, candidate.key, candidate.row
