"""Lines of a source through the gates into staged lines: the hot path."""

from __future__ import annotations

from collections.abc import Iterable

from whileai_export.core.clean import capped, without_think
from whileai_export.core.groups import PASS
from whileai_export.core.identity import conversation_key, task_key
from whileai_export.core.mask import is_empty, last_only, trained
from whileai_export.core.select import ends_open, left_out, trimmed
from whileai_export.core.unroll import masks, sample_columns, sample_ends
from whileai_export.core.wire import OBJECTS, SftRow
from whileai_export.pipeline.door import read_row
from whileai_export.pipeline.job import Job
from whileai_export.pipeline.part import Part, Staged, Unfit
from whileai_export.pipeline.stagehand import Stagehand
from whileai_export.pipeline.watch import Watch
from whileai_export.shared.errors import BadRow
from whileai_export.shared.findings import Finding
from whileai_export.shared.schema import JsonObject, Message, Trajectory

_NAN = float("nan")


class Chunk:
    """One pass over some rows of a source. What it learned is its ``part``."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.options = job.options
        self.watch = Watch(job)
        self.part = Part({name: Staged() for name in job.options.formats})
        self.stagehand = Stagehand(job, self.part)
        self.tally = self.part.tally

    def run(self, rows: Iterable[tuple[int | None, object]]) -> Part:
        """Take every (line, row) of the chunk."""
        for line, raw in rows:
            self.take(line, raw)
        for staged in self.part.staged.values():
            staged.seal()
        return self.part

    def take(self, line: int | None, raw: object) -> None:
        """One row: read, watched, selected, staged."""
        number = self.tally.read
        self.tally.read = number + 1
        try:
            trajectory = read_row(raw, self.job)
            self._place(trajectory, raw, number, line)
        except BadRow as bad:
            self.tally.gate("readable").add(found := [Finding("readable", bad.at, bad.problem)
                                                      .of(number, line)])  # fmt: skip
            self._keep_out(found, raw, number, line)
            return
        self.part.tasks.append(task_key(trajectory.task) if trajectory.task is not None else None)
        self.part.rewards.append(_NAN if trajectory.reward is None else trajectory.reward)
        self.part.rollouts.append(trajectory.columns.get("rollout_index"))

    def _place(self, trajectory: Trajectory, raw: object, number: int, line: int | None) -> None:
        tally = self.tally
        tally.shapes[trajectory.shape] += 1
        tally.prompts[trajectory.prompt_from or "none"] += 1
        tally.tools[trajectory.tools_from or "none"] += 1
        if trajectory.reward is None:
            tally.rewards[trajectory.ungraded or "absent"] += 1
        if trajectory.repairs:
            tally.repairs.update(trajectory.repairs)
        if trajectory.source_line is not None:
            line, self.part.recorded_lines = trajectory.source_line, True
        findings = self.watch.look(trajectory, number, line, tally)
        if findings and self.watch.unfit(findings):
            self._keep_out(findings, raw, number, line)
            return
        reason = left_out(trajectory, self.options.selection)
        if reason is None:
            self._write(trajectory, findings)
        else:
            tally.filtered[reason] += 1

    def _keep_out(
        self, findings: list[Finding], raw: object, number: int, line: int | None
    ) -> None:
        self.tally.quarantined += 1
        if self.watch.keeps(findings):
            self.part.unfit.append(Unfit(tuple(findings), raw, number, line))

    def _write(self, trajectory: Trajectory, findings: list[Finding]) -> None:
        formats = self.options.formats
        if findings and any(f.gate == "tool_call_roundtrip" for f in findings):
            formats = tuple(f for f in formats if f not in OBJECTS)
            if not formats:
                self.tally.filtered["arguments_not_an_object"] += 1
                return
        messages = self._cleaned(trajectory.messages)
        columns = self.stagehand.columns(trajectory, self.watch.needles, self.tally)
        if self.options.unroll and "unroll" not in columns:
            self._unrolled(trajectory, messages, columns)
            return
        mask = trajectory.loss_mask
        if mask is None or len(mask) != len(messages):
            mask = trained(messages, self.options.mask_mode)
            mask = last_only(mask) if "unroll" in columns else mask
        row = SftRow(messages, mask, trajectory.tools, trajectory.reward, self.watch.texts)
        self._stage(row, trajectory, columns)

    def _cleaned(self, messages: list[Message]) -> list[Message]:
        """The messages without the tail nobody answered and without reasoning, as asked."""
        if self.options.selection.trim_tail:
            messages = trimmed(messages)
        if self.options.strip_think:
            messages, stripped = without_think(messages)
            if stripped:
                self.tally.repairs.update(stripped)
        return messages

    def _unrolled(
        self, trajectory: Trajectory, messages: list[Message], columns: JsonObject
    ) -> None:
        ends = sample_ends(messages)
        if not ends:
            row = SftRow(messages, [0] * len(messages), trajectory.tools)
            self._stage(row, trajectory, columns)
            return
        turns = sum(1 for m in messages if m["role"] == "assistant")
        self.tally.calls_checked -= sum(len(m.get("tool_calls", ())) for m in messages)
        self.tally.unrolled += len(ends) - 1
        for (turn, end), mask in zip(ends, masks(ends), strict=True):
            part = messages[:end]
            self.tally.calls_checked += sum(len(m.get("tool_calls", ())) for m in part)
            row = SftRow(part, mask, trajectory.tools, trajectory.reward, self.watch.texts)
            self._stage(row, trajectory, sample_columns(columns, turn, turns), turn)

    def _stage(
        self, row: SftRow, trajectory: Trajectory, columns: JsonObject, turn: int = 0
    ) -> None:
        results = characters_cut = 0
        limit = self.options.max_tool_output_chars
        if limit is not None and "tool_output_truncated" not in columns:
            row.messages, results, characters_cut = capped(row.messages, limit)
            columns = self.stagehand.with_cut(columns, results, characters_cut)
        part, mask = self.part, row.loss_mask
        owner = len(part.sources)
        part.sources.append(len(part.tasks))
        part.turns.append(turn)
        if self.options.selection.dedupe:
            part.keys.append(conversation_key(row.messages))
        reward, loss = trajectory.reward, sum(mask)
        part.marks.extend(
            (
                loss,
                len(mask) - loss,
                bool(mask) and row.messages[0]["role"] == "system",
                bool(row.tools),
                results,
                characters_cut,
                reward is not None and reward >= PASS,
                reward is not None and reward < PASS,
                reward is None,
                trajectory.finish is not None,
                ends_open(row.messages),
                sum([len(m["content"]) for m in row.messages]),
            )
        )
        if loss < sum([m["role"] == "assistant" for m in row.messages]) and not turn:
            self._count_empty(row)
        self.stagehand.stage(row, columns, owner)

    def _count_empty(self, row: SftRow) -> None:
        empty = sum([m["role"] == "assistant" and is_empty(m) for m in row.messages])
        if empty:
            self.tally.repairs["empty_assistant_turns"] += empty


def run_chunk(job: Job, rows: Iterable[tuple[int | None, object]]) -> Part:
    """One chunk of a source, in whatever process."""
    return Chunk(job).run(rows)

