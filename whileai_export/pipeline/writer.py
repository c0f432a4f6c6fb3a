"""A fit trajectory to staged lines: cleaned, masked, unrolled, capped, marked."""

from __future__ import annotations

from whileai_export.core.clean import capped, without_think
from whileai_export.core.groups import PASS
from whileai_export.core.identity import conversation_key
from whileai_export.core.mask import is_empty, last_only, still_trained, trained
from whileai_export.core.needles import Needle
from whileai_export.core.select import ends_open, trimmed
from whileai_export.core.unroll import masks, sample_columns, sample_ends, unrolled_from
from whileai_export.core.wire import SftRow
from whileai_export.pipeline.job import Job
from whileai_export.pipeline.part import Part
from whileai_export.pipeline.scribe import Scribe
from whileai_export.pipeline.stagehand import Stagehand, with_cut
from whileai_export.shared.options import SftOptions
from whileai_export.shared.schema import JsonObject, Message, Trajectory, WireFormat


class Writer:
    """Stages the rows of one part, in the formats of the job."""

    def __init__(self, job: Job, options: SftOptions, part: Part) -> None:
        self.options = options
        self.private = job.private
        self.part = part
        self.tally = part.tally
        self.stagehand = Stagehand(job)
        self.scribe = Scribe(job, part)
        self.formats: tuple[WireFormat, ...] = options.formats

    def write(
        self,
        trajectory: Trajectory,
        texts: list[str],
        private: tuple[Needle, ...],
        formats: tuple[WireFormat, ...],
    ) -> None:
        """One row, or its samples. ``texts`` is the JSON text of every call's arguments."""
        self.formats = formats
        messages = self._cleaned(trajectory.messages)
        columns = self.stagehand.columns(trajectory, private, self.tally)
        row = SftRow(messages, [], trajectory.tools, trajectory.reward, texts)
        unrolled = "unroll" in columns
        if self.options.unroll and not unrolled:
            self._unroll(row, trajectory, columns)
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
                self.tally.repairs.update(stripped)
        return messages

    def _unroll(self, row: SftRow, trajectory: Trajectory, columns: JsonObject) -> None:
        messages = row.messages
        ends = sample_ends(messages)
        if not ends:
            row.loss_mask = [0] * len(messages)
            self._stage(row, trajectory, columns)
            return
        turns = sum(1 for m in messages if m["role"] == "assistant")
        origin = unrolled_from(trajectory.columns)
        self.tally.calls_checked -= _calls(messages)
        self.tally.unrolled += len(ends) - 1
        for (turn, end), mask in zip(ends, masks(ends), strict=True):
            part = messages[:end]
            self.tally.calls_checked += _calls(part)
            sample = SftRow(part, mask, row.tools, row.reward, row.texts)
            self._stage(sample, trajectory, sample_columns(columns, origin, turn, turns), turn)

    def _stage(
        self, row: SftRow, trajectory: Trajectory, columns: JsonObject, turn: int = 0
    ) -> None:
        results = cut = 0
        limit = self.options.max_tool_output_chars
        if limit is not None and "tool_output_truncated" not in columns:
            row.messages, results, cut = capped(row.messages, limit)
            columns = with_cut(columns, results, cut)
        part = self.part
        if not self._lines(row, trajectory, columns, len(part.sources)):
            return
        part.sources.append(len(part.tasks))
        part.turns.append(turn)
        if self.options.selection.dedupe:
            part.keys.append(conversation_key(row.messages))
        part.marks.extend(self._marks(row, trajectory, turn, results, cut))

    def _lines(
        self, row: SftRow, trajectory: Trajectory, columns: JsonObject, owner: int
    ) -> bool:
        """Whether some format has a line for the row; where none has, it is filtered."""
        unmasked = self.private and trajectory.loss_mask is None
        silent = self.scribe.row(row, columns, owner, self.formats, masked=not unmasked)
        if not silent:
            return True
        if len(silent) < len(self.formats):
            self.tally.unsaid.update(silent)
            return True
        ungraded = row.reward is None and "kto" in self.formats
        self.tally.filtered["ungraded" if ungraded else "nothing_to_train"] += 1
        return False

    def _marks(
        self, row: SftRow, trajectory: Trajectory, turn: int, results: int, cut: int
    ) -> tuple[int, ...]:
        mask, messages, reward = row.loss_mask, row.messages, trajectory.reward
        loss = sum(mask)
        assistants = sum([m["role"] == "assistant" for m in messages])
        untrained = self._spoken(messages, turn) - loss if loss < assistants else 0
        return (
            loss,
            len(mask) - loss,
            bool(mask) and messages[0]["role"] == "system",
            bool(row.tools),
            results,
            cut,
            reward is not None and reward >= PASS,
            reward is not None and reward < PASS,
            reward is None,
            trajectory.finish is not None,
            ends_open(messages),
            sum([len(m["content"]) for m in messages]),
            0,
            untrained,
            _foreign(messages, mask) if loss else 0,
        )

    def _spoken(self, messages: list[Message], turn: int) -> int:
        """The assistant turns that say something; the others are counted, once a row."""
        spoken = empty = 0
        for message in messages:
            if message["role"] == "assistant":
                if is_empty(message):
                    empty += 1
                else:
                    spoken += 1
        if empty and not turn:
            self.tally.repairs["empty_assistant_turns"] += empty
        return spoken


def _calls(messages: list[Message]) -> int:
    return sum(len(m.get("tool_calls", ())) for m in messages)


def _foreign(messages: list[Message], mask: list[int]) -> int:
    first = mask.index(1)
    return sum([m["role"] in ("tool", "user") for m in messages[first:]])
