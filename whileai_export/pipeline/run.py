"""A source in chunks of whole lines, in this process or in many, its parts in order."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Protocol, TypeAlias, TypeVar

from whileai_export.io.lines import Lines, blocks, blocks_in, ranges
from whileai_export.io.packed import is_packed
from whileai_export.io.source import Source
from whileai_export.pipeline.job import Job
from whileai_export.shared.errors import ExportError, OptionError
from whileai_export.shared.tally import Tally

CHUNK_BYTES = 2 << 20
CHUNK_ROWS = 512

#: Called after every chunk with rows done, bytes done and bytes in all. Where nobody knows how
#: many bytes there are, as in memory and in packed files, these are 0 and None.
Progress: TypeAlias = Callable[[int, int, int | None], None]


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
    part = work(job, numbered)
    part.passed_lines = numbered.passed
    return part


def run_block(work: Work[P], job: Job, block: bytes) -> P:
    """The lines of one block that was read already."""
    numbered = Lines((block,), job.options.max_row_bytes)
    part = work(job, numbered)
    part.passed_lines = numbered.passed
    return part


def parts(
    source: Source,
    job: Job,
    work: Work[P],
    *,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Iterator[P]:
    """Every part of a source, in its order. Rows in memory stay in this process."""
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
        raise OptionError(f"workers: expected a whole number from 1, got {workers!r}")
    if source.path is None:
        yield from _watched(_memory_parts(source, job, work), None, progress)
        return
    calls = _calls(source.path, job, work)
    total = None if is_packed(source.path) else source.path.stat().st_size
    if workers == 1 and executor is None:
        yield from _watched((call(*given) for call, given in calls), total, progress)
        return
    with _pool(workers, executor, job) as pool:
        # Somebody else's executor may have more hands than ``workers`` says.
        hands = workers if executor is None else max(workers, os.cpu_count() or 1)
        yield from _watched(_in_order(pool, calls, 2 * hands + 1), total, progress)


def _calls(path: Path, job: Job, work: Work[P]) -> Iterator[Call[P]]:
    if is_packed(path):
        for block in blocks(path, job.options.max_row_bytes, CHUNK_BYTES):
            yield run_block, (work, job, block)
        return
    for start, end in ranges(path, CHUNK_BYTES):
        yield run_range, (work, job, path, start, end)


def _memory_parts(source: Source, job: Job, work: Work[P]) -> Iterator[P]:
    rows = iter(source.rows or ())
    while batch := list(islice(rows, CHUNK_ROWS)):
        yield work(job, ((None, row) for row in batch))


def _in_order(pool: Executor, calls: Iterable[Call[P]], ahead: int) -> Iterator[P]:
    waiting: deque[Future[P]] = deque()
    line = 1
    try:
        for call, arguments in calls:
            waiting.append(_submit(pool, call, arguments))
            if len(waiting) >= ahead:
                yield (part := waiting.popleft().result())
                line += part.passed_lines
        while waiting:
            yield (part := waiting.popleft().result())
            line += part.passed_lines
    except BrokenExecutor as error:
        raise ExportError(
            f"a worker died over the lines from {line} on: nothing was written; it was killed, "
            "or there was no memory left"
        ) from error
    finally:
        for future in waiting:
            future.cancel()


def _submit(pool: Executor, call: Callable[..., P], arguments: tuple[object, ...]) -> Future[P]:
    try:
        return pool.submit(call, *arguments)
    except BrokenExecutor:
        raise
    except RuntimeError as error:
        raise OptionError(f"executor: expected one that takes work, got {error}") from error


@contextmanager
def _pool(workers: int, executor: Executor | None, job: Job) -> Iterator[Executor]:
    if executor is not None:
        yield executor
        return
    _check_sendable(job)
    # Forking is quick, and safe only while no other thread holds a lock.
    quick = sys.platform == "linux" and threading.active_count() == 1
    context = multiprocessing.get_context("fork" if quick else "spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _check_sendable(job: Job) -> None:
    try:
        pickle.dumps(job.adapter)
    except Exception as error:
        raise OptionError(
            "adapter: expected one that another process can import, got a function made inside "
            "another; pass 'pkg.mod:function', or workers=1"
        ) from error


def _watched(done: Iterable[P], total: int | None, progress: Progress | None) -> Iterator[P]:
    rows = 0
    for count, part in enumerate(done, 1):
        rows += part.tally.read
        yield part
        if progress is not None:
            progress(rows, min(total or 0, count * CHUNK_BYTES), total)
