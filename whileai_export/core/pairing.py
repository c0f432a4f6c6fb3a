"""Which two rollouts of one task become a preference pair, and why a task has none.

Works on an index, never on conversations: one small record a rollout. The order in which
rollouts come does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from whileai_export.core.candidate import Candidate, rank
from whileai_export.core.shelf import ByLength, ByReward, Shelf

#: A margin is reached when it is short of ``min_margin`` by no more than this.
EPSILON = 1e-9


class Rules(NamedTuple):
    """What a pair must satisfy."""

    min_margin: float
    max_pairs: int
    length_match: bool
    min_reward: float | None = None
    """The least reward of a chosen side."""


class Paired(NamedTuple):
    """The pairs of one task, or the reason why there is none."""

    pairs: list[tuple[Candidate, Candidate]]
    reason: str | None
    contrast: bool
    """Two graded rollouts of the task differ in reward."""


def pair_task(candidates: Sequence[Candidate], rules: Rules) -> Paired:
    """The pairs of one task. ``candidates`` are its graded rollouts that can stand in a pair."""
    rewards = {c.reward for c in candidates}
    contrast = len(rewards) > 1
    asks: dict[bytes, list[Candidate]] = {}
    for candidate in candidates:
        asks.setdefault(candidate.ask, []).append(candidate)
    pairs: list[tuple[Candidate, Candidate]] = []
    reasons = set()
    for rollouts in asks.values():
        found, reason = _pair_ask(rollouts, rules)
        pairs.extend(found)
        reasons.add(reason)
    pairs.sort(key=lambda pair: (rank(pair[0]), rank(pair[1])))
    if pairs:
        return Paired(pairs[: rules.max_pairs], None, contrast)
    return Paired([], _reason(rewards, rules, reasons), contrast)


def _reason(rewards: set[float], rules: Rules, inside: set[str | None]) -> str:
    if len(rewards) < 2:
        return "no_contrast"
    best = max(rewards)
    if not _far_enough(best, min(rewards), rules.min_margin):
        return "margin"
    if rules.min_reward is not None and best < rules.min_reward - EPSILON:
        return "min_reward"
    return "equal_replies" if "equal_replies" in inside else "different_ask"


def _pair_ask(
    rollouts: list[Candidate], rules: Rules
) -> tuple[list[tuple[Candidate, Candidate]], str | None]:
    ranked = sorted(rollouts, key=rank)
    shelf: Shelf = ByLength(ranked) if rules.length_match else ByReward(ranked)
    pairs: list[tuple[Candidate, Candidate]] = []
    reason = None
    too_near = 0
    for chosen in ranked:
        if len(pairs) == rules.max_pairs or _too_low(chosen, rules):
            break
        if shelf.serves(chosen):
            continue
        while too_near < len(ranked) and not _far_enough(
            chosen.reward, ranked[too_near].reward, rules.min_margin
        ):
            shelf.leave(ranked[too_near])
            too_near += 1
        if not shelf.eligible:
            break
        rejected = shelf.pick(chosen)
        if rejected is None:
            reason = "equal_replies"
            continue
        shelf.take(rejected)
        pairs.append((chosen, rejected))
    return pairs, reason


def _far_enough(best: float, worst: float, margin: float) -> bool:
    return best - worst >= margin - EPSILON and best > worst


def _too_low(chosen: Candidate, rules: Rules) -> bool:
    return rules.min_reward is not None and chosen.reward < rules.min_reward - EPSILON


def nothing_to_pair(rollouts: int, graded: int, candidates: int) -> str | None:
    """Why a task cannot be paired before anybody looks at its rewards."""
    if rollouts == 1:
        return "one_rollout"
    if graded < 2:
        return "ungraded"
    return "failed" if candidates < 2 else None
