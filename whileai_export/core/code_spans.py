"""Where a text quotes code: fenced blocks and inline spans, found in one walk."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import NamedTuple

_RUN = re.compile(r"`+|~{3,}")
_BLANK_LINE = re.compile(r"\n[ \t]*(?=\n)")
_FENCE = 3
_INDENT = 40


class Run(NamedTuple):
    """A row of backticks or tildes, and whether it can open or close a fence."""

    start: int
    end: int
    opens_fence: bool
    closes_fence: bool


class CodeSpans:
    """Answers where the code ends that begins at a mark; a mark that never closes is text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._runs = [_run(text, m.start(), m.end()) for m in _RUN.finditer(text)]
        self._starts = [run.start for run in self._runs]
        self._blank_lines = [m.start() for m in _BLANK_LINE.finditer(text)]
        self._same_length = _next_of_same_length(self._runs)
        self._fence_ends = [n for n, run in enumerate(self._runs) if run.closes_fence]
        self._never_closed: dict[str, tuple[int, int]] = {}

    def __bool__(self) -> bool:
        return bool(self._runs)

    def marks_from(self, position: int) -> int:
        """The number of the first mark at or after a position."""
        return bisect_left(self._starts, position)

    def start(self, mark: int) -> int:
        """Where a mark stands; past the end of the text when there is none."""
        return self._starts[mark] if mark < len(self._starts) else len(self._text) + 1

    def end(self, mark: int) -> int | None:
        """Where the code ends that this mark begins, or None when it begins none."""
        run = self._runs[mark]
        closing = self._fence_end(mark) if run.opens_fence else None
        if closing is None:
            closing = self._inline_end(mark)
        return None if closing is None else self._runs[closing].end

    def _fence_end(self, mark: int) -> int | None:
        opening = self._runs[mark]
        sign, length = self._text[opening.start], opening.end - opening.start
        open_length, open_mark = self._never_closed.get(sign, (length + 1, 0))
        if length >= open_length and mark >= open_mark:
            return None
        for place in range(bisect_left(self._fence_ends, mark + 1), len(self._fence_ends)):
            closing = self._runs[self._fence_ends[place]]
            if self._text[closing.start] == sign and closing.end - closing.start >= length:
                return self._fence_ends[place]
        self._never_closed[sign] = (length, mark)
        return None

    def _inline_end(self, mark: int) -> int | None:
        closing = self._same_length[mark]
        if closing is None or self._text[self._runs[mark].start] == "~":
            return None
        first = bisect_left(self._blank_lines, self._runs[mark].end)
        crosses = (
            first < len(self._blank_lines) and self._blank_lines[first] < self._runs[closing].start
        )
        return None if crosses else closing


def _run(text: str, start: int, end: int) -> Run:
    window = max(0, start - _INDENT)
    line = text.rfind("\n", window, start) + 1 or window
    if end - start < _FENCE or text[line:start].strip(" \t") or 0 < line == window:
        return Run(start, end, False, False)
    stop = text.find("\n", end)
    rest = text[end:] if stop < 0 else text[end:stop]
    return Run(start, end, text[start] == "~" or "`" not in rest, not rest.strip())


def _next_of_same_length(runs: list[Run]) -> list[int | None]:
    latest: dict[int, int] = {}
    following: list[int | None] = [None] * len(runs)
    for n in range(len(runs) - 1, -1, -1):
        length = runs[n].end - runs[n].start
        following[n] = latest.get(length)
        latest[length] = n
    return following
