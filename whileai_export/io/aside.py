"""Hashing and writing, which need no interpreter, beside the work that does."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

A = ParamSpec("A")
R = TypeVar("R")


class Aside:
    """One thread. What is given to it is done in order; leaving waits for all of it.

    No process may be forked meanwhile: a fork would copy a lock that nobody opens again.
    """

    def __init__(self) -> None:
        self._hand = ThreadPoolExecutor(1)
        self._last: Future[None] | None = None

    def __enter__(self) -> Aside:
        return self

    def __exit__(self, *_: object) -> None:
        self._hand.shutdown(cancel_futures=True)

    def begin(self, call: Callable[A, R], *given: A.args, **named: A.kwargs) -> Future[R]:
        """Begin a call whose result is asked for later."""
        return self._hand.submit(call, *given, **named)

    def write(self, write: Callable[[bytes], None], data: bytes) -> None:
        """Write some bytes once those before are written, so that only these are held."""
        self.settle()
        self._last = self._hand.submit(write, data)

    def settle(self) -> None:
        """Wait for the last write, and raise what it raised."""
        last, self._last = self._last, None
        if last is not None:
            last.result()
