"""Parts of a source, joined in order: what every row has to know of all the others."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from whileai_export.io.spool import Spool
from whileai_export.pipeline.job import Job
from whileai_export.pipeline.lengths import Lengths
from whileai_export.pipeline.part import Part, Signature, Staged, Unfit
from whileai_export.pipeline.tasks import RowIds, TaskIndex
from whileai_export.shared.findings import Finding
from whileai_export.shared.schema import WireFormat
from whileai_export.shared.tally import Marks, PairMarks, Seen, Tally

#: Marks of rows or of pairs.
M = TypeVar("M", Marks, PairMarks)


@dataclass(slots=True)
class Track:
    """The staged lines of one format, spooled, with what the finishing pass needs of each."""

    spool: Spool
    tasks: array[int] = field(default_factory=lambda: array("I"))
    signatures: array[int] = field(default_factory=lambda: array("I"))
    known: dict[Signature, int] = field(default_factory=dict)
    row_ids: bytearray = field(default_factory=bytearray)
    """16 bytes a line, where rows are numbered."""
    lines: array[int] = field(default_factory=lambda: array("Q"))
    """Where each row stood in the source, where rows keep that; 0 for rows in memory."""


class _Owners(NamedTuple):
    """What the lines of a part take from the rows they are of."""

    tasks: list[int]
    ids: list[str]
    lines: list[int]


class Join(Generic[M]):
    """Takes parts in the order of the source; after the last, ``tracks`` hold the lines.

    ``nothing`` are the marks of no row: what the rows of this join are measured by.
    """

    def __init__(
        self,
        job: Job,
        keep: Callable[[Unfit], None],
        nothing: M,
        folder: Path | None = None,
    ) -> None:
        self.job = job
        self.keep = keep
        self.index = TaskIndex()
        self.row_ids = RowIds(job.simulation, self.index)
        self.tracks: dict[WireFormat, Track] = {
            name: Track(Spool(folder)) for name in job.options.formats
        }
        self.tally = Tally()
        self.marks: M = nothing
        self.sides = 2 if isinstance(nothing, PairMarks) else 1
        """Findings number the sides of pairs, where pairs are joined."""
        self.lengths = Lengths()
        self.written = 0
        self.lines = 0
        self._conversations: set[bytes] = set()
        self._per_task: Counter[int] = Counter()

    def take(self, part: Part) -> None:
        """The next part."""
        tasks = self.index.take(part)
        kept = self._kept(part, tasks)
        ids = list(self.row_ids.of(part, tasks)) if self.job.numbered else []
        self._add_marks(part, kept)
        owners = [tasks[source] for source in part.sources]
        rows, lines = self.tally.read, self.lines
        places = [_moved_line(line, lines) for line in part.lines]
        for name, staged in part.staged.items():
            self._spool(self.tracks[name], staged, _Owners(owners, ids, places), kept)
        for unfit in part.unfit:
            self.keep(moved_unfit(unfit, rows, lines, self.sides))
        move_tally(part.tally, rows * self.sides, lines)
        self.tally += part.tally
        self.lines += part.passed_lines

    def __enter__(self) -> Join[M]:
        return self

    def __exit__(self, *_: object) -> None:
        for track in self.tracks.values():
            track.spool.close()

    def _kept(self, part: Part, tasks: array[int]) -> list[bool] | None:
        """Which written rows stay, by what came before them; None: all of them."""
        selection = self.job.options.selection
        if not selection.dedupe and selection.max_per_task is None:
            return None
        kept = []
        for row, source in enumerate(part.sources):
            reason = self._repeated(part.keys[row] if part.keys else None, tasks[source])
            if reason:
                self.tally.filtered[reason] += 1
            kept.append(not reason)
        return None if all(kept) else kept

    def _repeated(self, key: bytes | None, task: int) -> str | None:
        if key is not None:
            if key in self._conversations:
                return "duplicate"
            self._conversations.add(key)
        limit = self.job.options.selection.max_per_task
        if limit is not None:
            if self._per_task[task] >= limit:
                return "max_per_task"
            self._per_task[task] += 1
        return None

    def _add_marks(self, part: Part, kept: list[bool] | None) -> None:
        names = self.marks._fields
        columns = [part.marks[place :: len(names)] for place in range(len(names))]
        if kept is not None:
            columns = [
                array("q", [v for v, keep in zip(column, kept, strict=True) if keep])
                for column in columns
            ]
        lengths = (columns[names.index(name)] for name in ("characters", "tokens"))
        self.lengths.take(*lengths)
        sums = [old + sum(new) for old, new in zip(self.marks, columns, strict=True)]
        self.marks = type(self.marks)(*sums)
        self.written += len(columns[0])

    def _spool(
        self,
        track: Track,
        staged: Staged,
        owners: _Owners,
        kept: list[bool] | None,
    ) -> None:
        data, rows, signatures = staged.data, staged.owners, staged.signatures
        if kept is not None:
            places: list[int] = [place for place, row in enumerate(rows) if kept[row]]
            lines: list[bytes] = data.split(b"\n")
            data = b"\n".join([*(lines[place] for place in places), b""])
            rows = array("I", [rows[place] for place in places])
            signatures = array("I", [signatures[place] for place in places])
        if not rows:
            return
        names = list(staged.known)
        known = {s: track.known.setdefault(names[s], len(track.known)) for s in set(signatures)}
        track.spool.write(data)
        track.tasks.extend([owners.tasks[row] for row in rows])
        track.signatures.extend([known[s] for s in signatures])
        if owners.ids:
            track.row_ids += "".join([owners.ids[row] for row in rows]).encode()
        if owners.lines:
            track.lines.extend([owners.lines[row] for row in rows])


def moved_unfit(unfit: Unfit, rows: int, lines: int, sides: int = 1) -> Unfit:
    """A part's unfit row, or pair of ``sides``, with its place in the whole source."""
    line = None if unfit.line is None else _moved_line(unfit.line, lines)
    findings = tuple(_moved(finding, rows * sides, lines) for finding in unfit.findings)
    return Unfit(findings, unfit.raw, unfit.row + rows, line)


def _moved_line(line: int, lines: int) -> int:
    """A recorded line, which is negative here, counts from the first of all already."""
    return line + lines if line > 0 else -line


def _moved(finding: Finding, rows: int, lines: int) -> Finding:
    line = None if finding.line is None else _moved_line(finding.line, lines)
    return replace(finding, row=finding.row + rows, line=line)


def move_tally(tally: Tally, rows: int, lines: int) -> None:
    """Give the findings of a part their places in the whole source."""
    for name, seen in tally.seen.items():
        tally.seen[name] = Seen(
            seen.checked,
            seen.count,
            [_moved(finding, rows, lines) for finding in seen.named],
            [row + rows for row in seen.rows],
            seen.disclosed,
        )
