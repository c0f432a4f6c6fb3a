"""A source in chunks of whole lines, in this process or in many, its parts in order."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import Literal, Protocol, TypeAlias, TypeVar

from whileai_export.io.lines import Lines, blocks, blocks_in, ranges
from whileai_export.io.packed import is_packed
from whileai_export.io.source import Source
from whileai_export.pipeline.given import NOTHING, Given
from whileai_export.pipeline.job import Job
from whileai_export.pipeline.sides import Match
from whileai_export.shared.errors import OptionError
from whileai_export.shared.options import SftOptions
from whileai_export.shared.tally import Tally
from whileai_export.shared.watching import Watcher

CHUNK_BYTES = 2 << 20
CHUNK_ROWS = 512
#: About how many lines a row becomes that becomes many.
LINES_OF_MANY = 4
#: About how much text of pairs is held at once, and sent elsewhere at once.
BATCH_BYTES = 1 << 20


class Counted(Protocol):
    """What one chunk of a source becomes."""

    passed_lines: int

    @property
    def tally(self) -> Tally: ...


P = TypeVar("P", bound=Counted)
Work: TypeAlias = Callable[[Job, Iterable[tuple[int | None, object]]], P]
Call: TypeAlias = tuple[Callable[..., P], tuple[object, ...]]


def run_range(work: Work[P], job: Job, path: Path, start: int, end: int) -> P:
    """The lines that begin inside a range of a plain file."""
    limit = job.options.max_row_bytes
    numbered = Lines(blocks_in(path, start, end, limit), limit)
    with _collector_paused():
        part = work(job, numbered)
    part.passed_lines = numbered.passed
    return part


def run_block(work: Work[P], job: Job, block: bytes) -> P:
    """The lines of one block that was read already."""
    numbered = Lines((block,), job.options.max_row_bytes)
    with _collector_paused():
        part = work(job, numbered)
    part.passed_lines = numbered.passed
    return part


def run_batch(work: Work[P], job: Job, rows: list[object]) -> P:
    """Rows that are in memory; none of them has a line."""
    return work(job, ((None, row) for row in rows))


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Rows are trees: nothing in a chunk waits for the collector, which would walk them again
    and again, with everything else that the process holds.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def parts(source: Source, job: Job, work: Work[P], given: Given = NOTHING) -> Iterator[P]:
    """Every part of a source, in its order. Rows in memory stay in this process."""
    workers, progress = given.get("workers", 1), given.get("progress")
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
        raise OptionError(f"workers: expected a whole number from 1, got {workers!r}")
    if source.path is None:
        yield from _watched(_memory_parts(source, job, work), None, progress)
        return
    calls = _calls(source.path, job, work)
    total = None if is_packed(source.path) else source.path.stat().st_size
    done = _done(calls, job, given, over="lines")
    yield from _watched(done, total, progress, _chunk_bytes(job))


def batches(pairs: Iterable[Match], job: Job, work: Work[P], given: Given = NOTHING) -> Iterator[P]:
    """Parts of pairs that this process makes one by one; the work may be done elsewhere."""
    calls = ((run_batch, (work, job, batch)) for batch in _by_size(pairs))
    yield from _done(calls, job, given, over="pairs")


def _done(
    calls: Iterable[Call[P]], job: Job, given: Given, over: Literal["lines", "pairs"]
) -> Iterator[P]:
    workers, executor = given.get("workers", 1), given.get("executor")
    if workers == 1 and executor is None:
        yield from _here(calls)
        return
    # Loading what starts processes takes as long as exporting some hundred rows.
    from whileai_export.pipeline.workers import check_sendable, hands

    if executor is None:
        check_sendable(job)
        calls = iter(calls)
        first = list(islice(calls, 2))
        if len(first) < 2:  # to start a process takes longer than to do the only call
            yield from _here(first)
            return
        calls = chain(first, calls)
        del first
    with hands(workers, executor, over) as in_order:
        yield from in_order(calls)


def _here(calls: Iterable[Call[P]]) -> Iterator[P]:
    return (call(*arguments) for call, arguments in calls)


def _by_size(pairs: Iterable[Match]) -> Iterator[list[object]]:
    batch: list[object] = []
    size = 0
    for pair in pairs:
        batch.append(pair)
        size += len(pair.chosen) + len(pair.rejected)
        if size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _batches(rows: Iterator[object], size: int) -> Iterator[list[object]]:
    while batch := list(islice(rows, size)):
        yield batch


def _calls(path: Path, job: Job, work: Work[P]) -> Iterator[Call[P]]:
    if is_packed(path):
        for block in blocks(path, job.options.max_row_bytes, _chunk_bytes(job)):
            yield run_block, (work, job, block)
        return
    for start, end in ranges(path, _chunk_bytes(job)):
        yield run_range, (work, job, path, start, end)


def _chunk_bytes(job: Job) -> int:
    """So that a part of any job takes about as much memory."""
    many = isinstance(job.options, SftOptions) and job.options.many_lines
    return CHUNK_BYTES // LINES_OF_MANY if many else CHUNK_BYTES


def _memory_parts(source: Source, job: Job, work: Work[P]) -> Iterator[P]:
    for batch in _batches(iter(source.rows or ()), CHUNK_ROWS):
        yield run_batch(work, job, batch)


def _watched(
    done: Iterable[P], total: int | None, progress: Watcher | None, chunk: int = 0
) -> Iterator[P]:
    rows = 0
    for count, part in enumerate(done, 1):
        rows += part.tally.read
        yield part
        if progress is not None:
            progress(rows, min(total or 0, count * chunk), total)
