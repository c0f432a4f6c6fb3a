"""A bar with rows, speed and time left, on a terminal, for what takes longer than a second."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

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
from rich.text import Text

from whileai_export.cli.terminal import visible
from whileai_export.shared.watching import Watcher, Watching

PATIENCE = 1.0


@contextmanager
def bar(label: str, quiet: bool = False) -> Iterator[Watcher | None]:
    """A watcher to call after every chunk; None where nobody looks."""
    if quiet or not on_a_terminal():
        yield None
        return
    watch = _Watch(label, Console(stderr=True))
    try:
        yield watch
    finally:
        watch.stop()


@contextmanager
def waiting(label: str, quiet: bool = False) -> Iterator[None]:
    """A sign of life, on a terminal, for what cannot say how far it is."""
    if quiet or not on_a_terminal():
        yield
        return
    with Console(stderr=True).status(_plain(label)):
        yield


@contextmanager
def following(label: str, quiet: bool = False) -> Iterator[Watching | None]:
    """A sign of life, and a bar for every step that takes longer than a second.

    None where nobody looks.
    """
    if quiet or not on_a_terminal():
        yield None
        return
    # A terminal of our own: while a step runs, Dagster takes what is written to this one to a file.
    with os.fdopen(os.dup(sys.stderr.fileno()), "w", encoding="utf-8") as terminal:
        steps = _Steps(label, Console(file=terminal))
        try:
            yield steps.watcher
        finally:
            steps.stop()


def on_a_terminal() -> bool:
    """Somebody looks at what is written beside the output."""
    return sys.stderr.isatty()


def _nothing() -> None: ...


def _plain(label: str) -> Text:
    """A label that holds a path or a name: no code in it is acted on, no mark-up read."""
    return Text(visible(label))


class _Watch:
    """The bar of one step, from its first second on."""

    def __init__(self, label: str, console: Console, before: Callable[[], None] = _nothing) -> None:
        # Without a refreshing thread: one would keep the worker processes from starting quickly.
        self.shown = Progress(
            TextColumn("{task.description}  {task.fields[rows]:,} rows", markup=False),
            BarColumn(),
            DownloadColumn(),
            TransferSpeedColumn(),
            TimeRemainingColumn(),
            console=console,
            auto_refresh=False,
            transient=True,
        )
        self.before = before
        self.task: TaskID = self.shown.add_task(visible(label), total=None, rows=0)
        self.began = time.monotonic()
        self.started = False

    def __call__(self, rows: int, done: int, total: int | None) -> None:
        if not self.started:
            if time.monotonic() - self.began < PATIENCE:
                return
            self.before()
            self.shown.start()
            self.started = True
        self.shown.update(self.task, completed=done, total=total, rows=rows)
        self.shown.refresh()

    def stop(self) -> None:
        """Take the bar away."""
        if self.started:
            self.shown.stop()
            self.started = False


class _Steps:
    """A sign of life that makes room for the bars of the steps."""

    def __init__(self, label: str, console: Console) -> None:
        self.label = label
        self.console = console
        self.alive = console.status(_plain(label))
        self.watch: _Watch | None = None
        self.alive.start()

    def watcher(self, step: str) -> Watcher:
        """Who watches the next step."""
        label = f"{self.label}: {step}"
        self._rest(label)
        watch = self.watch = _Watch(label, self.console, self.alive.stop)

        def told(rows: int, done: int, total: int | None) -> None:
            watch(rows, done, total)
            if done == total:
                self._rest(self.label)

        return told

    def stop(self) -> None:
        """Nothing is shown any more."""
        if self.watch is not None:
            self.watch.stop()
        self.alive.stop()

    def _rest(self, label: str) -> None:
        """No bar, and a sign of life until there is one."""
        if self.watch is not None:
            self.watch.stop()
        self.alive.update(_plain(label))
        self.alive.start()
