"""Pairs through the gates into staged lines: the counterpart of a chunk of rows."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from whileai_export.core.canonical import PairRow
from whileai_export.core.identity import conversation_key, task_key
from whileai_export.core.leak import repeats
from whileai_export.core.needles import Needle
from whileai_export.core.select import ended
from whileai_export.core.wire import OBJECTS, PREFERENCE, Line
from whileai_export.pipeline.facts import facts
from whileai_export.pipeline.job import Job
from whileai_export.pipeline.pair_columns import PairColumns
from whileai_export.pipeline.pair_marks import PairMeasure
from whileai_export.pipeline.part import Part, Staged
from whileai_export.pipeline.passage import Passage
from whileai_export.pipeline.scribe import Scribe
from whileai_export.pipeline.sides import (
    Pair,
    ask_of,
    cleaned,
    completes,
    read_pair,
    reply_length,
)
from whileai_export.shared.errors import BadRow
from whileai_export.shared.findings import Finding
from whileai_export.shared.options import PairOptions
from whileai_export.shared.schema import JsonObject, Trajectory, WireFormat
from whileai_export.shared.tally import PairMarks, Tally

_NAN = float("nan")
_TOKENS = PairMarks._fields.index("tokens")


class Duel(Passage):
    """One pass over pairs. What it learned is its ``part``."""

    def __init__(self, job: Job) -> None:
        assert isinstance(job.options, PairOptions)
        self.part = Part({name: Staged() for name in job.options.formats})
        super().__init__(job, self.part.tally, self.part.unfit)
        self.options = job.options
        # Rows that this run paired were looked at before; nothing is counted twice.
        self.seen = Tally() if job.paired else self.tally
        self.columns = PairColumns(job, self.tally)
        self.measure = PairMeasure(job)
        self.scribe = Scribe(job, self.part)

    def run(self, pairs: Iterable[tuple[int | None, object]]) -> Part:
        """Take every (line, pair)."""
        self.take_all(pairs)
        return self.part.sealed()

    def take(self, line: int | None, raw: object) -> None:
        """One pair: read, watched, staged."""
        number = self.tally.read
        self.tally.read = number + 1
        try:
            pair = read_pair(raw, self.job)
        except BadRow as bad:
            side = 2 * number + bad.at.startswith("$.rejected")
            self.refuse(bad, raw, number, line, side)
            return
        for trajectory in pair.sides:
            self._count(trajectory)
        reason = self._reason(pair)
        if reason is None:
            self._judge(pair, raw, number, line)
        else:
            self.tally.filtered[reason] += 1

    def _count(self, trajectory: Trajectory) -> None:
        seen = self.seen
        seen.shapes[trajectory.shape] += 1
        seen.prompts[trajectory.prompt_from or "none"] += 1
        seen.tools[trajectory.tools_from or "none"] += 1
        seen.mend(trajectory.repairs)

    def _reason(self, pair: Pair) -> str | None:
        """Why a pair is left out before anybody looks at what is said in it."""
        selection = self.options.selection
        if self.options.drop_ties and pair.given.get("tie"):
            return "tie"
        if selection.drop_failed:
            for side in pair.sides:
                if side.finish is not None:
                    return ended(side.finish)
        return None

    def _judge(self, pair: Pair, raw: object, number: int, line: int | None) -> None:
        (chosen, stripped), (rejected, more) = (
            cleaned(side.messages, self.options.strip_think) for side in pair.sides
        )
        if not (completes(chosen) and completes(rejected)):
            self.tally.filtered["no_completion"] += 1
            return
        # Rows that this run paired were compared before.
        if not self.job.paired and conversation_key(chosen) == conversation_key(rejected):
            self.tally.filtered["equal"] += 1
            return
        findings, private = self._look(pair, number, line)
        if findings and self.watch.unfit(findings):
            self.keep_out(findings, raw, number, line)
            return
        self.tally.mend(stripped)
        self.tally.mend(more)
        tools = pair.chosen.tools or pair.rejected.tools
        ask = ask_of(pair)
        if private and repeats(ask, [*chosen, *rejected], private):
            self.tally.columns_left_out["prompt"] += 1
            ask = next((m["content"] for m in chosen if m["role"] == "user"), "")
        self._write(pair, PairRow(ask, chosen, rejected, tools), findings, private)

    def _look(
        self, pair: Pair, number: int, line: int | None
    ) -> tuple[list[Finding], tuple[Needle, ...]]:
        found: list[Finding] = []
        private: tuple[Needle, ...] = ()
        for place, side in enumerate(pair.sides):
            found += self.watch.look(side, 2 * number + place, line, self.seen)
            private += self.watch.needles
        return found, private

    def _write(
        self, pair: Pair, row: PairRow, findings: list[Finding], private: tuple[Needle, ...]
    ) -> None:
        told = facts(pair, (reply_length(row.chosen), reply_length(row.rejected)))
        least = self.options.selection.min_reward
        if least is not None and told.get("chosen_score", -1.0) < least - 1e-9:
            self.tally.filtered["min_reward" if "chosen_score" in told else "ungraded"] += 1
            return
        unspoken = any(f.gate == "tool_call_roundtrip" for f in findings)
        lines: dict[WireFormat, list[Line]] = {}
        for name in self.options.formats:
            line = None if unspoken and name in OBJECTS else PREFERENCE[name](row)
            if line is not None:
                lines[name] = [line]
        if not lines:
            self.tally.filtered["no_completion"] += 1
            return
        self._stage(pair, row, told, lines, private)

    def _stage(
        self,
        pair: Pair,
        row: PairRow,
        told: JsonObject,
        lines: dict[WireFormat, list[Line]],
        private: tuple[Needle, ...],
    ) -> None:
        part, selection = self.part, self.options.selection
        marks = self.measure.marks(row, told, lines)
        if selection.drop_long and marks[_TOKENS] > (selection.max_tokens or 0):
            self.tally.filtered["max_tokens"] += 1
            return
        part.marks.extend(marks)
        self.scribe.stage(lines, self.columns.of(pair, told, private), len(part.sources))
        part.sources.append(len(part.tasks))
        part.turns.append(0)
        task = told.get("task")
        part.tasks.append(task_key(task) if task is not None else None)
        part.rewards.append(_NAN)
        part.rollouts.append(None)
        if self.options.selection.dedupe:
            keys = conversation_key(row.chosen) + conversation_key(row.rejected)
            part.keys.append(hashlib.sha256(keys).digest())


def run_duel(job: Job, pairs: Iterable[tuple[int | None, object]]) -> Part:
    """One chunk of pairs, in whatever process."""
    return Duel(job).run(pairs)
