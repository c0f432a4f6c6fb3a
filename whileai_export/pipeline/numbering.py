"""Where the rows of a source stand in its file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from whileai_export.io.lines import lines
from whileai_export.io.source import opened


def lines_of_rows(source: object) -> Iterator[int | None]:
    """The line of every row, from 1; None where the rows are in memory. Blank lines hold none."""
    with opened(source) as found:
        if found.path is None:
            yield from (None for _ in found.rows or ())
        else:
            yield from (line for line, _ in lines(found.path))


def numbered(path: Path) -> Iterator[tuple[int, bytes]]:
    """Every line of a file that is not blank, plain or packed, with its number."""
    yield from lines(path)
