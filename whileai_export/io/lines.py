"""Blocks of whole lines, from plain, .gz and .zst files and from ranges of plain ones.

A block is bytes: small enough to hold, and to send to another process.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from whileai_export.io.packed import unpacked
from whileai_export.shared.options import MAX_ROW_BYTES

BLOCK_BYTES = 1 << 18
BOM = b"\xef\xbb\xbf"


class TooLong(bytes):
    """Stands for a line longer than the limit, whose text is not loaded. It is no row."""


class Lines:
    """The lines of some blocks that are not blank, each with its number, from 1.

    After the last one ``passed`` is how many lines there were, blank ones included.
    """

    def __init__(self, blocks: Iterable[bytes], limit: int = MAX_ROW_BYTES) -> None:
        self.passed = 0
        self._blocks = blocks
        self._limit = limit

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        for block in self._blocks:
            if isinstance(block, TooLong):
                self.passed += 1
                yield self.passed, block
                continue
            number = self.passed
            # A stream finds line ends several times faster than bytes.split does.
            for text in io.BytesIO(block):
                number += 1
                if line := text.strip():
                    yield number, line if len(line) <= self._limit else TooLong()
            self.passed = number


def lines(path: Path, max_row_bytes: int = MAX_ROW_BYTES) -> Lines:
    """The lines of a whole file, numbered from 1."""
    return Lines(blocks(path, max_row_bytes), max_row_bytes)


def blocks(
    path: Path, max_row_bytes: int = MAX_ROW_BYTES, size: int = BLOCK_BYTES
) -> Iterator[bytes]:
    """A whole file in order, without the mark that may stand at its start."""
    with unpacked(path) as stream:
        yield from _without_mark(whole_lines(stream, max_row_bytes, size))


def ranges(path: Path, size: int) -> list[tuple[int, int]]:
    """A plain file cut in parts of ``size`` bytes, wherever the cuts fall."""
    total = path.stat().st_size
    return [(start, min(start + size, total)) for start in range(0, total, size)]


def blocks_in(
    path: Path,
    start: int,
    end: int,
    max_row_bytes: int = MAX_ROW_BYTES,
    size: int = BLOCK_BYTES,
) -> Iterator[bytes]:
    """The lines that begin inside a range: every line of a file is in one range only."""
    with path.open("rb") as stream:
        if not start:
            yield from _without_mark(whole_lines(stream, max_row_bytes, size, end))
            return
        stream.seek(start - 1)
        _pass_line(stream, end)
        yield from whole_lines(stream, max_row_bytes, size, end)


def whole_lines(
    stream: BinaryIO, limit: int = MAX_ROW_BYTES, size: int = BLOCK_BYTES, end: int | None = None
) -> Iterator[bytes]:
    """Blocks of about ``size`` bytes that end where a line ends."""
    while data := stream.read(size if end is None else max(0, min(size, end - stream.tell()))):
        tail = b"" if data.endswith(b"\n") else stream.readline(limit + 1)
        if len(tail) <= limit or tail.endswith(b"\n"):
            yield data + tail
            continue
        yield data[: data.rfind(b"\n") + 1]
        _pass_line(stream)
        yield TooLong()


def _without_mark(found: Iterator[bytes]) -> Iterator[bytes]:
    yield next(found, b"").removeprefix(BOM)
    yield from found


def _pass_line(stream: BinaryIO, end: int | None = None) -> None:
    """Reads to the end of a line, or past ``end``, in pieces."""
    while (piece := stream.readline(BLOCK_BYTES)) and not piece.endswith(b"\n"):
        if end is not None and stream.tell() >= end:
            return
