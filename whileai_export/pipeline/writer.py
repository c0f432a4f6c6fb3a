"""A fit trajectory to staged lines: cleaned, masked, unrolled, capped, marked."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate

from whileai_export.core.canonical import SftRow
from whileai_export.core.clean import capped, without_think
from whileai_export.core.identity import conversation_key
from whileai_export.core.mask import is_empty, last_only, still_trained, trained
from whileai_export.core.needles import Needle
from whileai_export.core.select import trimmed
from whileai_export.core.unroll import (
    masks,
    sample_columns,
    sample_ends,
    shared_columns,
    without_group,
)
from whileai_export.core.wire import SFT, Line
from whileai_export.pipeline.job import Job
from whileai_export.pipeline.measure import Measure
from whileai_export.pipeline.part import Part
from whileai_export.pipeline.scribe import Scribe
from whileai_export.pipeline.stagehand import Stagehand, with_cut
from whileai_export.shared.options import SftOptions
from whileai_export.shared.schema import JsonObject, Message, Trajectory, WireFormat
from whileai_export.shared.tally import Marks

_TRAINED = Marks._fields.index("trained")
_TOKENS = Marks._fields.index("tokens")
_TRAINED_ANYWAY = Marks._fields.index("trained_anyway")


class Writer:
    """Stages the rows of one part, in the formats of the job."""

    def __init__(self, job: Job, options: SftOptions, part: Part) -> None:
        self.options = options
        self.private = job.private
        self.part = part
        self.tally = part.tally
        self.stagehand = Stagehand(job)
        self.scribe = Scribe(job, part)
        self.measure = Measure(job)
        self.formats: tuple[WireFormat, ...] = options.formats
        self.line = 0
        """The line of the row at hand, counted from the start of the part."""

    def write(
        self,
        trajectory: Trajectory,
        texts: list[str],
        private: tuple[Needle, ...],
        formats: tuple[WireFormat, ...],
    ) -> None:
        """One row, or its samples. ``texts`` is the JSON text of every call's arguments."""
        self.formats = formats
        self.scribe.begin(many=self.options.many_lines)
        messages = self._cleaned(trajectory.messages)
        columns = self.stagehand.columns(trajectory, private, self.tally)
        messages, cuts = self._capped(messages, columns)
        row = SftRow(messages, [], trajectory.tools, trajectory.reward, texts, cuts)
        unrolled = "unroll" in columns
        if self.options.unroll and not unrolled:
            origin = self.stagehand.origin(trajectory, private, self.tally)
            self._unroll(row, trajectory, columns, origin)
            return
        if trajectory.loss_mask is None:
            row.loss_mask = trained(messages, self.options.mask_mode)
            row.loss_mask = last_only(row.loss_mask) if unrolled else row.loss_mask
        else:
            row.loss_mask = still_trained(trajectory.loss_mask, messages)
        self._stage(row, trajectory, columns)

    def _cleaned(self, messages: list[Message]) -> list[Message]:
        """The messages without the tail nobody answered and without reasoning, as asked."""
        if self.options.selection.trim_tail:
            messages = trimmed(messages)
        if self.options.strip_think:
            messages, stripped = without_think(messages)
            if stripped:
                self.tally.mend(stripped)
        return messages

    def _capped(
        self, messages: list[Message], columns: JsonObject
    ) -> tuple[list[Message], list[int]]:
        """The messages with their output cut as asked, once."""
        limit = self.options.max_tool_output_chars
        if limit is None or "tool_output_truncated" in columns:
            return messages, []
        return capped(messages, limit)

    def _unroll(
        self, row: SftRow, trajectory: Trajectory, columns: JsonObject, origin: JsonObject
    ) -> None:
        messages = row.messages
        ends = sample_ends(messages)
        if not ends:
            row.loss_mask = [0] * len(messages)
            self._stage(row, trajectory, without_group(columns))
            return
        turns = sum(1 for m in messages if m["role"] == "assistant")
        shared = shared_columns(columns, origin)
        made = list(accumulate(len(m.get("tool_calls", ())) for m in messages))
        self.tally.calls_checked += sum(made[end - 1] for _, end in ends) - made[-1]
        self.tally.unrolled += len(ends) - 1
        for (turn, end), mask in zip(ends, masks(ends), strict=True):
            texts, cuts = row.texts[: made[end - 1]], row.cuts[:end]
            sample = SftRow(messages[:end], mask, row.tools, row.reward, texts, cuts, row)
            self._stage(sample, trajectory, sample_columns(shared, turn, turns), turn)
        self._count_empty(row)

    def _stage(
        self, row: SftRow, trajectory: Trajectory, columns: JsonObject, turn: int = 0
    ) -> None:
        cut = (0, 0)
        if row.cuts:
            cut = (sum(map(bool, row.cuts)), sum(row.cuts))
            columns = with_cut(columns, *cut)
        marks = self.measure.marks(row, trajectory, cut)
        lines = self._lines(row, trajectory)
        reason = self._unwritten(row, marks, lines)
        if reason is not None:
            self.tally.filtered[reason] += 1
            return
        if marks[_TRAINED_ANYWAY] and not turn:
            self._count_empty(row)
        part = self.part
        self.scribe.stage(lines, columns, len(part.sources))
        part.sources.append(len(part.tasks))
        part.turns.append(turn)
        part.marks.extend(marks)
        if self.private:
            part.lines.append(self.line)
        if self.options.selection.dedupe:
            part.keys.append(conversation_key(row.messages))

    def _lines(self, row: SftRow, trajectory: Trajectory) -> dict[WireFormat, list[Line]]:
        """The row as every format says it; a format that cannot has no line for it."""
        lines = {name: SFT[name](row) for name in self.formats}
        if self.private and trajectory.loss_mask is None:
            for line in lines["trl"]:
                del line["loss_mask"]
        return lines

    def _unwritten(
        self, row: SftRow, marks: tuple[int, ...], lines: Mapping[WireFormat, list[Line]]
    ) -> str | None:
        """Why a row that was selected has no line, or is too long for one."""
        selection = self.options.selection
        if selection.drop_long and marks[_TOKENS] > (selection.max_tokens or 0):
            return "max_tokens"
        if any(lines.values()):
            # A rollout in which the assistant says nothing failed, whatever its grade.
            silent = selection.drop_failed and not marks[_TRAINED]
            return "nothing_trained" if silent else None
        return "ungraded" if row.reward is None and "kto" in lines else "nothing_trained"

    def _count_empty(self, row: SftRow) -> None:
        empty = sum([m["role"] == "assistant" and is_empty(m) for m in row.messages])
        if empty:
            self.tally.repairs["empty_assistant_turns"] += empty
