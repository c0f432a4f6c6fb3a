"""A bar with rows, speed and time left, on a terminal, for what takes longer than a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

#: Rows done, bytes done, bytes in all where that is known.
Watcher: TypeAlias = Callable[[int, int, int | None], None]
PATIENCE = 1.0


@contextmanager
def bar(label: str, quiet: bool = False) -> Iterator[Watcher | None]:
    """A watcher to call after every chunk; None where nobody looks."""
    if quiet or not on_a_terminal():
        yield None
        return
    # Without a refreshing thread: one would keep the worker processes from starting quickly.
    shown = Progress(
        TextColumn("{task.description}  {task.fields[rows]:,} rows"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
    )
    watcher = _Watch(shown, label)
    try:
        yield watcher
    finally:
        if watcher.started:
            shown.stop()


@contextmanager
def waiting(label: str, quiet: bool = False) -> Iterator[None]:
    """A sign of life, on a terminal, for what cannot say how far it is."""
    if quiet or not on_a_terminal():
        yield
        return
    with Console(stderr=True).status(label):
        yield


def on_a_terminal() -> bool:
    """Somebody looks at what is written beside the output."""
    return sys.stderr.isatty()


class _Watch:
    def __init__(self, shown: Progress, label: str) -> None:
        self.shown = shown
        self.task: TaskID = shown.add_task(label, total=None, rows=0)
        self.began = time.monotonic()
        self.started = False

    def __call__(self, rows: int, done: int, total: int | None) -> None:
        if not self.started:
            if time.monotonic() - self.began < PATIENCE:
                return
            self.shown.start()
            self.started = True
        self.shown.update(self.task, completed=done, total=total, rows=rows)
        self.shown.refresh()
