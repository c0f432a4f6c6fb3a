from __future__ import annotations

from whileai_export.core.candidate import Candidate, rank


def candidate(reward: float, index: int | None, key: bytes = b"k", row: bytes = b"") -> Candidate:
    return Candidate(0, b"ask", reward, index, key, b"reply", 5, row)


def test_best_reward_first_then_the_recorded_rollout_then_the_conversation():
    ranked = [
        candidate(1.0, 0),
        candidate(1.0, 3),
        candidate(1.0, None, b"a"),
        candidate(1.0, None, b"b", b"1"),
        candidate(1.0, None, b"b", b"2"),
        candidate(0.5, 0),
    ]
    assert sorted([ranked[n] for n in (3, 5, 0, 4, 1, 2)], key=rank) == ranked
