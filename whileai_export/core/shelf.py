"""Where the rejected side of a pair is taken from: the nearest in length, or the lowest reward.

Rows only ever leave a shelf. Taking one costs log n, so that a group of ten thousand rollouts is
paired as quickly as ten thousand groups.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from heapq import heapify, heappop, heappush, heapreplace

from whileai_export.core.candidate import Candidate, rank


class Shelf:
    """Candidates of one ask, best first. The rows that are too good to be rejected leave it."""

    def __init__(self, ranked: Sequence[Candidate]) -> None:
        self.eligible = len(ranked)
        self._gone: set[int] = set()
        self._taken: set[int] = set()

    def pick(self, chosen: Candidate) -> Candidate | None:
        """The row to stand against a chosen one: present, and with another reply."""
        raise NotImplementedError

    def serves(self, candidate: Candidate) -> bool:
        """The candidate is the rejected side of a pair already."""
        return candidate.place in self._taken

    def take(self, candidate: Candidate) -> None:
        """The candidate becomes a rejected side."""
        self._taken.add(candidate.place)
        self.leave(candidate)

    def leave(self, candidate: Candidate) -> None:
        """The candidate can be rejected by nobody who is still to come."""
        if candidate.place not in self._gone:
            self._gone.add(candidate.place)
            self.eligible -= 1
            self._remove(candidate)

    def _remove(self, candidate: Candidate) -> None:
        """Called once, when a candidate leaves."""


class ByLength(Shelf):
    """The next present row on either side is found along a path-compressed chain."""

    def __init__(self, ranked: Sequence[Candidate]) -> None:
        super().__init__(ranked)
        self._rows = sorted(ranked, key=lambda c: (c.length, c.reply, *rank(c)))
        self._order = [(c.length, c.reply) for c in self._rows]
        self._spots = {c.place: spot for spot, c in enumerate(self._rows)}
        self._right = list(range(len(self._rows) + 1))
        self._left = list(range(len(self._rows) + 1))

    def pick(self, chosen: Candidate) -> Candidate | None:
        """The row nearest in reply length; of two equally near ones the better."""
        rows, own = self._rows, (chosen.length, chosen.reply)
        before = _end(self._left, bisect_left(self._order, own)) - 1
        after = _end(self._right, bisect_right(self._order, own))
        # Replies that are equal but for outer white space are not equally long.
        while before >= 0 and rows[before].reply == chosen.reply:
            before = _end(self._left, before) - 1
        while after < len(rows) and rows[after].reply == chosen.reply:
            after = _end(self._right, after + 1)
        sides = [rows[spot] for spot in (before, after) if 0 <= spot < len(rows)]
        return min(sides, key=lambda c: (abs(c.length - chosen.length), rank(c)), default=None)

    def _remove(self, candidate: Candidate) -> None:
        spot = self._spots[candidate.place]
        self._right[spot] = spot + 1
        self._left[spot + 1] = spot


class ByReward(Shelf):
    """A heap of replies; under each its rows, the lowest on top."""

    def __init__(self, ranked: Sequence[Candidate]) -> None:
        super().__init__(ranked)
        self._rows = ranked
        self._numbers: dict[bytes, list[int]] = {}
        for number, candidate in enumerate(ranked):
            self._numbers.setdefault(candidate.reply, []).append(number)
        self._heap = [(-numbers[-1], reply) for reply, numbers in self._numbers.items()]
        heapify(self._heap)

    def pick(self, chosen: Candidate) -> Candidate | None:
        """The row with the lowest reward."""
        lowest = found = self._lowest()
        if lowest and lowest[1] == chosen.reply:
            heappop(self._heap)
            found = self._lowest()
            heappush(self._heap, lowest)
        return self._rows[-found[0]] if found else None

    def _lowest(self) -> tuple[int, bytes] | None:
        while self._heap:
            number, reply = self._heap[0]
            numbers = self._numbers[reply]
            while numbers and self._rows[numbers[-1]].place in self._gone:
                numbers.pop()
            if not numbers:
                heappop(self._heap)
            elif numbers[-1] == -number:
                return number, reply
            else:
                heapreplace(self._heap, (-numbers[-1], reply))
        return None


def _end(chain: list[int], spot: int) -> int:
    root = spot
    while chain[root] != root:
        root = chain[root]
    while chain[spot] != root:
        chain[spot], spot = root, chain[spot]
    return root
