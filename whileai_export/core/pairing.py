"""Which two rollouts of one task become a preference pair, and why a task has none.

Works on an index, never on conversations: one small record a rollout. The order in which
rollouts come does not matter.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

#: A margin is reached when it is short of ``min_margin`` by no more than this.
EPSILON = 1e-9


class Candidate(NamedTuple):
    """What pairing needs to know of one graded rollout."""

    place: int
    """Where its row can be found again."""
    ask: bytes
    reward: float
    rollout_index: int | None
    key: bytes
    """Of the whole conversation; breaks the last tie."""
    reply: bytes
    """Of everything after the ask."""
    length: int
    """Characters of all that the assistant said."""


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
    for ask in sorted(asks):
        found, reason = _pair_ask(asks[ask], rules)
        pairs.extend(found)
        reasons.add(reason)
    pairs.sort(key=lambda pair: (_rank(pair[0]), _rank(pair[1])))
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
    ranked = sorted(rollouts, key=_rank)
    shelf = _Shelf(ranked)
    pairs = []
    reason = None
    dropped = 0
    for chosen in ranked:
        if len(pairs) == rules.max_pairs or _too_low(chosen, rules):
            break
        if not shelf.has(chosen):
            continue
        while dropped < len(ranked) and not _far_enough(
            chosen.reward, ranked[dropped].reward, rules.min_margin
        ):
            shelf.drop_chosen_side(ranked[dropped])
            dropped += 1
        if not shelf.eligible:
            break
        rejected = shelf.nearest(chosen) if rules.length_match else shelf.worst(chosen)
        if rejected is None:
            reason = "equal_replies"
            continue
        shelf.take(rejected)
        pairs.append((chosen, rejected))
    return pairs, reason


def _rank(candidate: Candidate) -> tuple[float, bool, int, bytes]:
    index = candidate.rollout_index
    return -candidate.reward, index is None, index or 0, candidate.key


def _far_enough(best: float, worst: float, margin: float) -> bool:
    return best - worst >= margin - EPSILON and best > worst


def _too_low(chosen: Candidate, rules: Rules) -> bool:
    return rules.min_reward is not None and chosen.reward < rules.min_reward - EPSILON


class _Shelf:
    """Rejected candidates by reply length; the nearest one still there is found in log n.

    Rows only ever leave, so the next one present on either side is a path-compressed chain.
    """

    def __init__(self, ranked: Sequence[Candidate]) -> None:
        self.rows = sorted(ranked, key=lambda c: (c.length, c.reply, *_rank(c)))
        self.order = [(c.length, c.reply) for c in self.rows]
        self.spots = {c.place: spot for spot, c in enumerate(self.rows)}
        self.right = list(range(len(self.rows) + 1))
        self.left = list(range(len(self.rows) + 1))
        self.eligible = len(self.rows)
        self.taken: set[int] = set()

    def has(self, candidate: Candidate) -> bool:
        """The candidate serves in no pair yet."""
        return candidate.place not in self.taken

    def take(self, candidate: Candidate) -> None:
        """The candidate serves as a rejected side."""
        self.taken.add(candidate.place)
        self._leave(candidate)

    def drop_chosen_side(self, candidate: Candidate) -> None:
        """The candidate is too good to be rejected by anybody who is still to come."""
        if self._present(candidate):
            self._leave(candidate)

    def nearest(self, chosen: Candidate) -> Candidate | None:
        """The row nearest in reply length whose reply is another one."""
        own = (chosen.length, chosen.reply)
        before = self._find(self.left, bisect_left(self.order, own)) - 1
        after = self._find(self.right, bisect_right(self.order, own))
        sides = [
            self.rows[spot] for spot in (before, after) if 0 <= spot < len(self.rows)
        ]  # fmt: skip
        return min(sides, key=lambda c: (abs(c.length - chosen.length), _rank(c)), default=None)

    def worst(self, chosen: Candidate) -> Candidate | None:
        """The present row with the lowest reward whose reply is another one."""
        present = [c for c in self.rows if self._present(c) and c.reply != chosen.reply]
        return max(present, key=_rank, default=None)

    def _present(self, candidate: Candidate) -> bool:
        spot = self.spots[candidate.place]
        return self._find(self.right, spot) == spot

    def _leave(self, candidate: Candidate) -> None:
        spot = self.spots[candidate.place]
        self.right[spot] = spot + 1
        self.left[spot + 1] = spot
        self.eligible -= 1

    @staticmethod
    def _find(chain: list[int], spot: int) -> int:
        root = spot
        while chain[root] != root:
            root = chain[root]
        while chain[spot] != root:
            chain[spot], spot = root, chain[spot]
        return root


def nothing_to_pair(rollouts: int, graded: int, candidates: int) -> str | None:
    """Why a task cannot be paired before anybody looks at its rewards."""
    if rollouts == 1:
        return "one_rollout"
    if graded < 2:
        return "ungraded"
    return "failed" if candidates < 2 else None


def by_task(entries: Iterable[tuple[bytes, Candidate]]) -> Iterator[tuple[bytes, list[Candidate]]]:
    """Candidates of every task, tasks in the order in which they first came."""
    tasks: dict[bytes, list[Candidate]] = {}
    for task, candidate in entries:
        tasks.setdefault(task, []).append(candidate)
    yield from tasks.items()
