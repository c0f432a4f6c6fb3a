"""One way through the gates: rows or pairs, one after another, and those that are kept out."""

from __future__ import annotations

from collections.abc import Iterable

from whileai_export.pipeline.job import Job
from whileai_export.pipeline.nameless import without_private
from whileai_export.pipeline.part import Unfit
from whileai_export.pipeline.watch import Watch
from whileai_export.shared.errors import BadRow
from whileai_export.shared.findings import Finding
from whileai_export.shared.tally import Tally


class Passage:
    """Takes rows or pairs. Those that are kept out stand in ``unfit``, counted in ``tally``."""

    def __init__(self, job: Job, tally: Tally, unfit: list[Unfit]) -> None:
        self.job = job
        self.watch = Watch(job)
        self.tally = tally
        self.unfit = unfit

    def take(self, line: int | None, raw: object) -> None:
        """The next one."""
        raise NotImplementedError

    def take_all(self, rows: Iterable[tuple[int | None, object]]) -> None:
        """Every (line, row) in turn."""
        for line, raw in rows:
            self.take(line, raw)

    def refuse(self, bad: BadRow, raw: object, number: int, line: int | None, side: int) -> None:
        """Keep out what cannot be read. ``side``: its number among rows, or sides of pairs."""
        at, problem = without_private(bad, raw)
        found = [Finding("readable", at, problem).of(side, line)]
        self.tally.gate("readable").add(found)
        self.keep_out(found, raw, number, line)

    def keep_out(self, findings: list[Finding], raw: object, number: int, line: int | None) -> None:
        """Count one that may not be written, and keep it where the options say so."""
        self.tally.quarantined += 1
        if self.watch.keeps(findings):
            self.unfit.append(Unfit(self.watch.gravest(findings), raw, number, line))
