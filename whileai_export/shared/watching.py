"""Who watches how far the rows of this process are: nobody, unless somebody asks to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias

#: Told after every chunk: rows done, bytes done and bytes in all. Where nobody knows how many
#: bytes there are, as in memory and in packed files, these are 0 and None.
Watcher: TypeAlias = Callable[[int, int, int | None], None]
#: Who watches one step, by the step's name.
Watching: TypeAlias = Callable[[str], Watcher]

_watching: ContextVar[Watching | None] = ContextVar("watching", default=None)


@contextmanager
def watched(watching: Watching | None) -> Iterator[None]:
    """Everything below this is watched, however many rooms lie between."""
    before = _watching.set(watching)
    try:
        yield
    finally:
        _watching.reset(before)


def watcher_of(step: str) -> Watcher | None:
    """Who is to be told how far a step is; None where nobody watches, so nothing is measured."""
    watching = _watching.get()
    return watching(step) if watching else None
