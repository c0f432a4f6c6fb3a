"""The first of two passes over rollouts: an index to pair by, and the rows put aside.

A record is 72 bytes a rollout, whatever the length of its text.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from whileai_export.core.candidate import Candidate
from whileai_export.core.identity import conversation_keys, first_assistant, task_key
from whileai_export.core.select import ended
from whileai_export.pipeline.door import read_settled, settled
from whileai_export.pipeline.job import Job
from whileai_export.pipeline.part import Unfit, recorded
from whileai_export.pipeline.passage import Passage
from whileai_export.pipeline.sides import cleaned, completes, reply_length
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import JsonObject, Message, Trajectory
from whileai_export.shared.tally import Tally

_RECORD = struct.Struct("<16s16s8sdqQ8s")
_NO_INDEX = -1


@dataclass(slots=True)
class Found:
    """What one chunk of rows gives to the pairing."""

    passed_lines: int = 0
    tally: Tally = field(default_factory=Tally)
    unfit: list[Unfit] = field(default_factory=list)
    alone: int = 0
    """Readable rows that name no task: each is a task of its own."""
    rollouts: Counter[bytes] = field(default_factory=Counter)
    """Readable rollouts of every task."""
    graded: Counter[bytes] = field(default_factory=Counter)
    tasks: list[bytes] = field(default_factory=list)
    """The task of every candidate."""
    records: list[bytes] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    """The place of every candidate among the readable rows of its task, in this chunk."""
    rows: list[bytes] = field(default_factory=list)
    """The candidates themselves, to be put aside."""

    def candidates(self) -> Iterator[tuple[bytes, bytes, int, bytes]]:
        """Task, record, place and row of every candidate."""
        return zip(self.tasks, self.records, self.numbers, self.rows, strict=True)


class Scout(Passage):
    """One pass over some rows. What it learned is ``found``."""

    def __init__(self, job: Job) -> None:
        self.found = Found()
        super().__init__(job, self.found.tally, self.found.unfit)

    def run(self, rows: Iterable[tuple[int | None, object]]) -> Found:
        """Take every (line, row)."""
        self.take_all(rows)
        return self.found

    def take(self, line: int | None, raw: object) -> None:
        """One row: read, watched, put aside where it can stand in a pair."""
        found = self.found
        number = found.tally.read
        found.tally.read = number + 1
        try:
            row, repairs = settled(raw, self.job)
            trajectory = read_settled(row, repairs, self.job)
        except BadRow as bad:
            self.refuse(bad, raw, number, line, side=number)
            return
        if trajectory.source_line is not None:
            line = recorded(trajectory.source_line)
        self._count(trajectory)
        if trajectory.task is None:
            found.alone += 1
        else:
            key = task_key(trajectory.task)
            found.rollouts[key] += 1
            found.graded[key] += _graded(trajectory)
        findings = self.watch.look(trajectory, number, line, found.tally)
        if findings and self.watch.unfit(findings):
            self.keep_out(findings, raw, number, line)
            return
        # A row that is sent through an adapter is put aside as it came out of it.
        self._consider(trajectory, raw if isinstance(raw, bytes) and not self.job.adapter else row)

    def _count(self, trajectory: Trajectory) -> None:
        tally = self.found.tally
        tally.shapes[trajectory.shape] += 1
        tally.prompts[trajectory.prompt_from or "none"] += 1
        tally.tools[trajectory.tools_from or "none"] += 1
        if trajectory.reward is None:
            tally.rewards[trajectory.ungraded or "absent"] += 1
        tally.mend(trajectory.repairs)

    def _consider(self, trajectory: Trajectory, row: bytes | JsonObject) -> None:
        filtered = self.found.tally.filtered
        if not _graded(trajectory):
            filtered["ungraded"] += 1
        elif trajectory.finish is not None:
            filtered[ended(trajectory.finish)] += 1
        else:
            messages, _ = cleaned(trajectory.messages, self.job.options.strip_think)
            if not completes(messages):
                filtered["empty"] += 1
            elif trajectory.task is None:
                filtered["no_task"] += 1
            else:
                self._put_aside(trajectory, messages, task_key(trajectory.task), row)

    def _put_aside(
        self,
        trajectory: Trajectory,
        messages: list[Message],
        key: bytes,
        row: bytes | JsonObject,
    ) -> None:
        line = row if isinstance(row, bytes) else json.dumps(row).encode()
        keys = conversation_keys(messages, first_assistant(messages))
        index = trajectory.columns.get("rollout_index")
        self.found.tasks.append(key)
        self.found.numbers.append(self.found.rollouts[key] - 1)  # it is counted already
        self.found.records.append(
            _RECORD.pack(
                keys.ask[:16],
                keys.whole[:16],
                keys.reply[:8],
                trajectory.reward,
                index if isinstance(index, int) and 0 <= index < 1 << 62 else _NO_INDEX,
                reply_length(messages),
                hashlib.sha256(line).digest()[:8],
            )
        )
        self.found.rows.append(line)


def _graded(trajectory: Trajectory) -> bool:
    status = trajectory.columns.get("judge_status")
    return trajectory.reward is not None and status in (None, "ok")


def candidates(records: bytearray, places: Iterable[int]) -> Iterator[Candidate]:
    """The records at some places, as pairing wants them."""
    for place in places:
        found = _RECORD.unpack_from(records, place * _RECORD.size)
        ask, key, reply, reward, index, length, row = found
        yield Candidate(place, ask, reward, None if index < 0 else index, key, reply, length, row)


def run_scout(job: Job, rows: Iterable[tuple[int | None, object]]) -> Found:
    """One chunk of a source, in whatever process."""
    return Scout(job).run(rows)
