"""Tags, and every move of one: lines that are only ever added to."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from whileai_export.io.part import cannot_write
from whileai_export.shared.schema import JsonObject


@dataclass(frozen=True, slots=True)
class Moves:
    """The log of one dataset's tags."""

    path: Path

    def history(self) -> Iterator[JsonObject]:
        """Every move, first to last. A line that a kill tore is none."""
        with suppress(FileNotFoundError):
            for line in self.path.read_bytes().splitlines():
                with suppress(ValueError):
                    yield json.loads(line)

    def current(self) -> dict[str, str]:
        """Which version every tag names now."""
        return {move["tag"]: move["version"] for move in self.history()}

    def versions(self) -> set[str]:
        """Every version that ever had a tag."""
        return {move["version"] for move in self.history()}

    def add(self, tag: str, version: str) -> JsonObject:
        """Let a tag name a version from now on."""
        move: JsonObject = {"tag": tag, "version": version, "was": self.current().get(tag)}
        move["at"] = datetime.now(UTC).isoformat(timespec="seconds")
        try:
            number = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise cannot_write(self.path, error) from error
        with os.fdopen(number, "ab") as file:
            with suppress(OSError):
                fcntl.flock(number, fcntl.LOCK_EX)
            # After a torn line the next one begins on a line of its own.
            file.write(self._break(number) + json.dumps(move).encode() + b"\n")
            file.flush()
            os.fsync(number)
        return move

    @staticmethod
    def _break(number: int) -> bytes:
        size = os.fstat(number).st_size
        return b"\n" if size and os.pread(number, 1, size - 1) != b"\n" else b""
