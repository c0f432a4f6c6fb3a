"""Chunks through other processes, their parts in the order of the source."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Literal

from whileai_export.pipeline.job import Job
from whileai_export.pipeline.run import Call, P
from whileai_export.shared.errors import ExportError, OptionError


@contextmanager
def hands(
    workers: int, executor: Executor | None, over: Literal["lines", "pairs"] = "lines"
) -> Iterator[Callable[[Iterable[Call[P]]], Iterator[P]]]:
    """Runs calls in ``workers`` processes, or in the caller's executor; gives parts in order.

    ``over`` is what the calls work through, and what an error counts.
    """
    with _pool(workers, executor) as pool:
        # Somebody else's executor may have more hands than ``workers`` says.
        many = workers if executor is None else max(workers, os.cpu_count() or 1)
        yield partial(_in_order, pool, ahead=2 * many + 1, over=over)


def _in_order(pool: Executor, calls: Iterable[Call[P]], ahead: int, over: str) -> Iterator[P]:
    waiting: deque[Future[P]] = deque()
    first = 1
    try:
        for call, arguments in calls:
            waiting.append(_submit(pool, call, arguments))
            if len(waiting) >= ahead:
                yield (part := waiting.popleft().result())
                first += part.passed_lines or part.tally.read
        while waiting:
            yield (part := waiting.popleft().result())
            first += part.passed_lines or part.tally.read
    except BrokenExecutor as error:
        raise ExportError(
            f"a worker died over the {over} from {first} on: nothing was written; it was killed, "
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
def _pool(workers: int, executor: Executor | None) -> Iterator[Executor]:
    if executor is not None:
        yield executor
        return
    # Forking is quick, and safe only while no other thread holds a lock.
    quick = sys.platform == "linux" and threading.active_count() == 1
    context = multiprocessing.get_context("fork" if quick else "spawn")
    watching = (os.getpid(),)
    with ProcessPoolExecutor(workers, context, _watch_parent, watching) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _watch_parent(parent: int) -> None:
    """Begin to watch: a worker whose parent was killed would wait for work for ever."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def check_sendable(job: Job) -> None:
    """Refuse what another process could not be sent."""
    try:
        pickle.dumps(job.adapter)
    except Exception as error:
        raise OptionError(
            "adapter: expected one that another process can import, got a function made inside "
            "another; pass 'pkg.mod:function', or workers=1"
        ) from error
