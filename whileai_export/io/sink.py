"""One file on its way: packed by suffix, hashed while written, on the disk before it has a name."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from whileai_export.io import remote
from whileai_export.io.packed import packer
from whileai_export.io.part import cannot_write, create, settle_mode
from whileai_export.shared.errors import ExportError

BUFFER_BYTES = 1 << 18


class Sink:
    """A temporary file that becomes ``target``, or is uploaded to ``url``, when published."""

    def __init__(self, target: Path, *, private: bool = False, url: str | None = None) -> None:
        self.target = target
        self.url = url
        self.label = str(target) if url is None else remote.shown(url)
        self._private = private or url is not None
        self._packer = packer(target)
        try:
            number, self.path = create(target, private=self._private)
        except OSError as error:
            raise cannot_write(self.label, error) from error
        self._file = open(number, "wb", BUFFER_BYTES)  # noqa: SIM115
        self._digest = hashlib.sha256()
        self._size = 0
        self._empty = True
        self._finished = False

    @property
    def sha256(self) -> str:
        """Of the bytes on the disk, known once finished."""
        return self._digest.hexdigest()

    @property
    def size(self) -> int:
        """Bytes on the disk, known once finished."""
        return self._size

    def is_for(self, target: str | Path | None) -> bool:
        """Whether this is the file of a path or URL."""
        if target is None or self.url is not None:
            return target is not None and self.url == os.fspath(target)
        return Path(target).expanduser().resolve() == self.target

    def write(self, data: bytes) -> None:
        """Appends bytes. A full disk is an ``ExportError``; what stood there before still does."""
        self._empty = self._empty and not data
        try:
            self._append(data if self._packer is None else self._packer.compress(data))
        except OSError as error:
            raise cannot_write(self.label, error) from error

    def _append(self, data: bytes) -> None:
        self._file.write(data)
        self._digest.update(data)
        self._size += len(data)

    def finish(self) -> None:
        """Brings everything to the disk. No file may be empty."""
        if self._finished:
            return
        if self._empty:
            raise ExportError(
                f"{self.label}: nothing was written to it; an empty file is no dataset"
            )
        try:
            if self._packer is not None:
                self._append(self._packer.flush())
            self._file.flush()
            if self.url is None:
                settle_mode(self._file.fileno(), self.target, private=self._private)
            os.fsync(self._file.fileno())
        except OSError as error:
            raise cannot_write(self.label, error) from error
        self._finished = True

    def publish(self) -> None:
        """Gives the finished file its name, in one step."""
        self.finish()
        if self.url is not None:
            remote.put(self.path, remote.place(self.url), self.url)
            self.discard()
            return
        try:
            os.replace(self.path, self.target)
        except OSError as error:
            raise cannot_write(self.label, error) from error
        self._close()

    def discard(self) -> None:
        """Removes the temporary file."""
        self.path.unlink(missing_ok=True)
        self._close()

    def _close(self) -> None:
        with suppress(OSError):  # what a full disk would not take is of no use any more
            self._file.close()
