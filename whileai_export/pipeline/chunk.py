"""Lines of a source through the gates into staged lines: the hot path."""

from __future__ import annotations

from collections.abc import Iterable

from whileai_export.core.identity import task_key
from whileai_export.core.select import left_out
from whileai_export.core.wire import OBJECTS
from whileai_export.pipeline.door import read_row
from whileai_export.pipeline.job import Job
from whileai_export.pipeline.part import Part, Staged, recorded
from whileai_export.pipeline.passage import Passage
from whileai_export.pipeline.writer import Writer
from whileai_export.shared.errors import BadRow
from whileai_export.shared.findings import Finding
from whileai_export.shared.options import SftOptions
from whileai_export.shared.schema import Trajectory

_NAN = float("nan")


class Chunk(Passage):
    """One pass over some rows of a source. What it learned is its ``part``."""

    def __init__(self, job: Job) -> None:
        assert isinstance(job.options, SftOptions)
        self.part = Part({name: Staged() for name in job.options.formats})
        super().__init__(job, self.part.tally, self.part.unfit)
        self.selection = job.options.selection
        self.writer = Writer(job, job.options, self.part)

    def run(self, rows: Iterable[tuple[int | None, object]]) -> Part:
        """Take every (line, row) of the chunk."""
        self.take_all(rows)
        return self.part.sealed()

    def take(self, line: int | None, raw: object) -> None:
        """One row: read, watched, selected, staged."""
        number = self.tally.read
        self.tally.read = number + 1
        try:
            trajectory = read_row(raw, self.job)
            self._place(trajectory, raw, number, line)
        except BadRow as bad:
            self.refuse(bad, raw, number, line, side=number)
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
            tally.mend(trajectory.repairs)
        if trajectory.source_line is not None:
            line = recorded(trajectory.source_line)
        findings = self.watch.look(trajectory, number, line, tally)
        if findings and self.watch.unfit(findings):
            self.keep_out(findings, raw, number, line)
            return
        reason = left_out(trajectory, self.selection)
        if reason is None:
            self.writer.line = line or 0
            self._write(trajectory, findings)
        else:
            tally.filtered[reason] += 1

    def _write(self, trajectory: Trajectory, findings: list[Finding]) -> None:
        formats = self.job.options.formats
        if findings and any(f.gate == "tool_call_roundtrip" for f in findings):
            spoken = tuple(f for f in formats if f not in OBJECTS)
            if not spoken:
                self.tally.filtered["arguments_not_an_object"] += 1
                return
            formats = spoken
        self.writer.write(trajectory, self.watch.texts, self.watch.needles, formats)


def run_chunk(job: Job, rows: Iterable[tuple[int | None, object]]) -> Part:
    """One chunk of a source, in whatever process."""
    return Chunk(job).run(rows)
