"""Bytes kept aside between two passes over them."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, cast

from whileai_export.io.lines import BLOCK_BYTES, whole_lines
from whileai_export.io.part import cannot_write


def _nameless(folder: Path | None) -> BinaryIO:
    file = tempfile.TemporaryFile(dir=folder, buffering=BLOCK_BYTES)  # noqa: SIM115
    return cast(BinaryIO, file)


class Spool:
    """A file without a name: nobody else can open it, and no kill can leave it behind.

    Write everything, then read it, as often as needed.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.size = 0
        self._where = folder or Path(tempfile.gettempdir())
        try:
            self._file = _nameless(folder)
        except OSError as error:
            raise cannot_write(self._where, error) from error

    def __enter__(self) -> Spool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def write(self, data: bytes) -> int:
        """Appends bytes and says where they begin."""
        begin = self.size
        try:
            self._file.write(data)
        except OSError as error:
            raise cannot_write(self._where, error) from error
        self.size += len(data)
        return begin

    def read(self, begin: int, size: int) -> bytes:
        """The bytes at one place."""
        self._flush()
        return os.pread(self._file.fileno(), size, begin)

    def blocks(self, size: int = BLOCK_BYTES) -> Iterator[bytes]:
        """Everything in order, in blocks of whole lines."""
        self._flush()
        self._file.seek(0)
        yield from whole_lines(self._file, sys.maxsize - 1, size)

    def close(self) -> None:
        """Gives the space back."""
        with suppress(OSError):  # what a full disk would not take is of no use any more
            self._file.close()

    def _flush(self) -> None:
        try:
            self._file.flush()
        except OSError as error:
            raise cannot_write(self._where, error) from error
