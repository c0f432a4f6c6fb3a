"""All rollouts of a source that can stand in a pair, while the pairs are found."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator

from whileai_export.core.pairing import Rules, nothing_to_pair, pair_task
from whileai_export.io.spool import Spool
from whileai_export.pipeline.join import move_tally, moved_unfit
from whileai_export.pipeline.quarantine import Quarantine
from whileai_export.pipeline.scout import Found, candidates
from whileai_export.pipeline.sides import Match
from whileai_export.shared.options import PairOptions
from whileai_export.shared.schema import JsonObject
from whileai_export.shared.tally import Tally


class Pool:
    """An index in memory, the rows themselves on the disk."""

    def __init__(self, spool: Spool, quarantine: Quarantine) -> None:
        self.spool = spool
        self.quarantine = quarantine
        self.tally = Tally()
        self.lines = 0
        self.alone = 0
        self.rollouts: Counter[bytes] = Counter()
        self.graded: Counter[bytes] = Counter()
        self.members: dict[bytes, array[int]] = {}
        self.records = bytearray()
        self.places: array[int] = array("Q")
        """Of every candidate where its row begins in the spool, and how long it is."""
        self.numbers: array[int] = array("I")
        """Of every candidate its place among the readable rows of its task."""
        self.reasons: Counter[str] = Counter()
        self.contrast = 0

    def take(self, found: Found) -> None:
        """The next part of the source."""
        rows, lines = self.tally.read, self.lines
        for unfit in found.unfit:
            self.quarantine.keep(moved_unfit(unfit, rows, lines))
        move_tally(found.tally, rows, lines)
        self.tally += found.tally
        self.lines += found.passed_lines
        self.alone += found.alone
        for task, record, number, row in found.candidates():
            self.members.setdefault(task, array("I")).append(len(self.numbers))
            self.records += record
            self.numbers.append(self.rollouts[task] + number)
            self.places.extend((self.spool.write(row), len(row)))
        self.rollouts.update(found.rollouts)
        self.graded.update(found.graded)

    def pairs(self, options: PairOptions) -> Iterator[Match]:
        """The pairs of every task, in an order that does not depend on the order of the rows."""
        rules = Rules(
            options.min_margin,
            options.max_pairs_per_task,
            options.length_match,
            options.selection.min_reward,
        )
        self.reasons["one_rollout"] += self.alone
        for task in sorted(self.rollouts):
            places = self.members.get(task, ())
            rollouts, graded = self.rollouts[task], self.graded[task]
            reason = nothing_to_pair(rollouts, graded, len(places))
            if reason is None:
                paired = pair_task(list(candidates(self.records, places)), rules)
                self.contrast += paired.contrast
                reason = paired.reason
                for chosen, rejected in paired.pairs:
                    yield self._match(chosen.place, rejected.place)
            if reason is not None:
                self.reasons[reason] += 1

    def report(self, pairs: int) -> JsonObject:
        """How many tasks gave a pair, and why the others gave none."""
        return {
            "pairs": pairs,
            "tasks_seen": len(self.rollouts) + self.alone,
            "tasks_with_contrast": self.contrast,
            "without_pair": {why: n for why, n in sorted(self.reasons.items()) if n},
        }

    def _match(self, chosen: int, rejected: int) -> Match:
        numbers = self.numbers[chosen], self.numbers[rejected]
        return Match(self._row(chosen), self._row(rejected), numbers)

    def _row(self, place: int) -> bytes:
        return self.spool.read(self.places[2 * place], self.places[2 * place + 1])
