"""The digest that names the content of a file."""

from __future__ import annotations

import hashlib
from pathlib import Path
from queue import Queue
from threading import Thread

#: Pieces that may wait to be hashed; whoever brings one more waits for the first of them.
_WAITING = 8


def file_sha256(path: Path) -> str:
    """The sha256 of the bytes on the disk, in hex."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


class Digest:
    """The sha256 of what comes piece by piece, made in a thread beside the one that writes."""

    def __init__(self) -> None:
        self.size = 0
        self._digest = hashlib.sha256()
        self._pieces: Queue[bytes | None] = Queue(_WAITING)
        self._thread: Thread | None = None

    def update(self, piece: bytes) -> None:
        """The next piece."""
        if self._thread is None:
            self._thread = Thread(target=self._take, daemon=True)
            self._thread.start()
        self.size += len(piece)
        self._pieces.put(piece)

    def hexdigest(self) -> str:
        """Of all pieces so far, in hex."""
        self.close()
        return self._digest.hexdigest()

    def close(self) -> None:
        """Waits for what was handed over, and ends the thread."""
        if self._thread is not None:
            self._pieces.put(None)
            self._thread.join()
            self._thread = None

    def _take(self) -> None:
        while (piece := self._pieces.get()) is not None:
            self._digest.update(piece)
