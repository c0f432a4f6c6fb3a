"""Pairs through the gates into staged lines: the counterpart of a chunk of rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields

from whileai_export.core.clean import without_think
from whileai_export.core.identity import (
    conversation_key,
    first_assistant,
    pair_id,
    row_id,
    task_key,
)
from whileai_export.core.mask import is_empty
from whileai_export.core.needles import Needle
from whileai_export.core.select import trimmed
from whileai_export.core.wire import OBJECTS, PREFERENCE, Line, PairRow
from whileai_export.pipeline import columns as naming
from whileai_export.pipeline.job import Job
from whileai_export.pipeline.part import Part, Staged, Unfit
from whileai_export.pipeline.sides import Pair, ask_of, facts, read_pair, reply_length
from whileai_export.pipeline.stagehand import Stagehand
from whileai_export.pipeline.watch import Watch
from whileai_export.shared.errors import BadRow
from whileai_export.shared.findings import Finding
from whileai_export.shared.options import PairOptions
from whileai_export.shared.schema import SCHEMA_VERSION, JsonObject, Message
from whileai_export.shared.tally import Marks


@dataclass(slots=True)
class Sums:
    """What is averaged over the pairs that are written."""

    pairs: int = 0
    longer: int = 0
    same_first_turn: int = 0
    margin: float = 0.0
    margins: int = 0
    mixed_policies: int = 0
    foreign: int = 0
    dropped: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: Sums) -> Sums:
        return Sums(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(Sums)))


class Duel:
    """One pass over pairs. What it learned is its ``part`` and its ``sums``."""

    def __init__(self, job: Job, options: PairOptions, simulation: str) -> None:
        self.job = job
        self.options = options
        self.simulation = simulation
        self.private: tuple[Needle, ...] = ()
        self.watch = Watch(job)
        self.part = Part({name: Staged() for name in options.formats})
        self.stagehand = Stagehand(job, self.part)
        self.tally = self.part.tally
        self.sums = Sums()

    def run(self, pairs: Iterable[object]) -> Part:
        """Take every pair."""
        for raw in pairs:
            self.take(raw)
        for staged in self.part.staged.values():
            staged.seal()
        return self.part

    def take(self, raw: object) -> None:
        """One pair: read, watched, staged."""
        number = self.tally.read
        self.tally.read = number + 1
        try:
            pair = read_pair(raw, self.job)
        except BadRow as bad:
            found = [Finding("readable", bad.at, bad.problem).of(number, None)]
            self.tally.gate("readable").add(found)
            self._keep_out(found, raw, number)
            return
        if self.options.drop_ties and pair.given.get("tie"):
            self._drop("tie")
            return
        chosen, rejected = (self._cleaned(side.messages) for side in pair.sides)
        if not (completes(chosen) and completes(rejected)):
            self._drop("no_completion")
        elif conversation_key(chosen) == conversation_key(rejected):
            self._drop("equal")
        else:
            row = PairRow(ask_of(pair), chosen, rejected, pair.chosen.tools)
            self._judge(pair, row, raw, number)

    def _judge(self, pair: Pair, row: PairRow, raw: object, number: int) -> None:
        findings = self._look(pair, number)
        if findings and self.watch.unfit(findings):
            self._keep_out(findings, raw, number)
        else:
            self._write(pair, row, findings)

    def _look(self, pair: Pair, number: int) -> list[Finding]:
        found: list[Finding] = []
        self.private = ()
        for place, side in enumerate(pair.sides):
            found += self.watch.look(side, 2 * number + place, None, self.tally)
            self.private += self.watch.needles
        return found

    def _keep_out(self, findings: list[Finding], raw: object, number: int) -> None:
        self.tally.quarantined += 1
        if self.watch.keeps(findings):
            self.part.unfit.append(Unfit(tuple(findings), raw, number, None))

    def _drop(self, reason: str) -> None:
        self.tally.filtered[reason] += 1

    def _write(self, pair: Pair, row: PairRow, findings: list[Finding]) -> None:
        unspoken = any(f.gate == "tool_call_roundtrip" for f in findings)
        lines: dict[str, Line] = {}
        for name in self.options.formats:
            line = None if unspoken and name in OBJECTS else PREFERENCE[name](row)
            if line is None:
                self.sums.dropped[name] += 1
            else:
                lines[name] = line
        if not lines:
            self._drop("no_completion")
            return
        self._stage(pair, row, lines)

    def _cleaned(self, messages: list[Message]) -> list[Message]:
        messages = trimmed(messages)
        if self.options.strip_think:
            messages, stripped = without_think(messages)
            self.tally.repairs.update(stripped)
        return messages

    def _stage(self, pair: Pair, row: PairRow, lines: dict[str, Line]) -> None:
        part = self.part
        owner = len(part.sources)
        told = facts(pair, (reply_length(row.chosen), reply_length(row.rejected)))
        self._sum(told, lines)
        part.sources.append(len(part.tasks))
        part.turns.append(0)
        part.tasks.append(task_key(str(told.get("task", ""))))
        part.rewards.append(float("nan"))
        part.rollouts.append(None)
        characters = sum(len(m["content"]) for s in (row.chosen, row.rejected) for m in s)
        part.marks.extend(Marks(*([0] * 11), characters))
        encoded = self.stagehand.encoded(self._columns(pair, told))
        for name, line in lines.items():
            self.stagehand.stage_line(name, line, encoded, owner)  # type: ignore[arg-type]

    def _columns(self, pair: Pair, told: JsonObject) -> JsonObject:
        columns = dict(told)
        if self.options.columns is None:
            columns["schema_version"] = SCHEMA_VERSION
        else:
            columns["row_id"] = pair_id(*(self._row_id(pair, place) for place in (0, 1)))
            columns = {n: v for n, v in columns.items() if n in self.options.columns}
        if self.private:
            columns = self.stagehand.without_quotes(columns, self.private, self.tally)
        return {name: columns[name] for name in sorted(columns, key=naming.rank)}

    def _row_id(self, pair: Pair, place: int) -> str:
        side = pair.sides[place]
        recorded = side.columns.get("row_id")
        if isinstance(recorded, str):
            return recorded
        task = task_key(side.task or "")
        return row_id(self.simulation, task, side.columns.get("rollout_index", place))

    def _sum(self, told: JsonObject, lines: dict[str, Line]) -> None:
        sums = self.sums
        sums.pairs += 1
        sums.longer += told["length_delta"] > 0
        sums.same_first_turn += not told["first_turn_differs"]
        sums.mixed_policies += told.get("same_policy") is False
        if "margin" in told:
            sums.margin += told["margin"]
            sums.margins += 1
        if "trl" in lines:
            turns = [*lines["trl"]["chosen"], *lines["trl"]["rejected"]]
            sums.foreign += sum(turn["role"] != "assistant" for turn in turns)


def completes(messages: Sequence[Message]) -> bool:
    """The assistant answers: some turn of it says something."""
    return any(
        m["role"] == "assistant" and not is_empty(m)
        for m in messages[first_assistant(messages) :]
    )  # fmt: skip
