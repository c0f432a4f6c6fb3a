"""Files written aside and published together, by rename, or not at all."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from whileai_export.io import remote
from whileai_export.io.part import (
    cannot_write,
    clear_leftovers,
    make_folder,
    one_at_a_time,
    sync_folder,
)
from whileai_export.io.sink import Sink
from whileai_export.shared.errors import OptionError

__all__ = ["Staging", "Written"]


class Written(NamedTuple):
    """One published file."""

    path: str
    sha256: str
    bytes: int


class Staging:
    """New files beside their targets. Leaving without ``publish`` removes them again.

    ``never`` names what no target may be: the sources, as paths or URLs.
    """

    def __init__(self, never: Iterable[str | Path] = ()) -> None:
        self._never = tuple(never)
        self._sinks: list[Sink] = []
        self._withdrawn: list[Path] = []
        self._made: list[Path] = []

    def __enter__(self) -> Staging:
        return self

    def __exit__(self, *_: object) -> None:
        self.discard()

    def open(self, target: str | Path, *, private: bool = False) -> Sink:
        """A file to write. A private one is readable by its owner alone, as are new folders."""
        target = remote.local_path(os.fspath(target)) or os.fspath(target)
        url = target if isinstance(target, str) and remote.is_url(target) else None
        for source in self._never:
            if _same(source, target):
                raise OptionError(f"{_shown(target)}: the output is the source; name another")
        path = self._local(Path(target), private) if url is None else _upload_from(url)
        if any(path == sink.target for sink in self._sinks):
            raise OptionError(f"{_shown(target)}: two outputs have this one path")
        sink = Sink(path, private=private, url=url)
        self._sinks.append(sink)
        return sink

    def staged(self, target: str | Path) -> Path | None:
        """Where the file stands that will be ``target``; it is whole once finished."""
        return next((sink.path for sink in self._sinks if sink.is_for(target)), None)

    def make_room(self, target: Path) -> None:
        """Makes the folder of a target that others may read, before a private file needs it."""
        self._local(target, private=False)

    def withdraw(self, paths: Iterable[Path]) -> None:
        """Names former files that go when the new ones have come."""
        self._withdrawn.extend(paths)

    def publish(self, last: str | Path | None = None, *, names_all: bool = False) -> list[Written]:
        """Puts every file in its place, uploads first and ``last`` last, then withdraws.

        ``names_all``: the last one says what stands there, so the former one goes before anything
        else changes: whoever is killed meanwhile leaves none that says something else.
        """
        sinks = sorted(self._sinks, key=lambda sink: (sink.is_for(last), sink.url is None))
        for sink in sinks:
            sink.finish()
        written = [Written(sink.label, sink.sha256, sink.size) for sink in sinks]
        targets = {sink.target for sink in sinks if sink.url is None}
        gone = [path for path in self._withdrawn if path.resolve() not in targets]
        folders = {path.parent for path in (*targets, *gone)}
        with one_at_a_time(folders):
            for path in (sinks[-1].target, *gone) if names_all else ():
                path.unlink(missing_ok=True)
            for sink in sinks:
                sink.publish()
            for path in gone:
                _withdraw(path)
            for folder in folders:
                sync_folder(folder)
        self._sinks.clear()
        self._made.clear()
        return written

    def discard(self) -> None:
        """Removes what was not published. The targets are as they were."""
        for sink in self._sinks:
            sink.discard()
        self._sinks.clear()
        for folder in self._made:
            with suppress(OSError):  # somebody else's file has come into it
                folder.rmdir()
        self._made.clear()

    def _local(self, target: Path, private: bool) -> Path:
        """Where a path leads, its folder made. Only a regular file can be replaced by rename."""
        path = target.expanduser().resolve()
        if path.exists() and not path.is_file():
            kind = "a folder" if path.is_dir() else "no regular file"
            raise OptionError(f"{target}: expected the path of a file to write, got {kind}")
        try:
            self._made = make_folder(path.parent, private=private) + self._made
        except OSError as error:
            raise cannot_write(target, error) from error
        return path


def _withdraw(path: Path) -> None:
    """Nothing stays of a file, nor of an attempt at it that was killed."""
    path.unlink(missing_ok=True)
    if path.parent.is_dir():
        clear_leftovers(path)


def _upload_from(url: str) -> Path:
    """Where a file stands until it is uploaded. Its name says the URL, so it can be cleared."""
    remote.place(url)
    name = hashlib.sha256(url.encode()).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"whileai_export.{name}{Path(remote.shown(url)).suffix}"


def _same(source: str | Path, target: str | Path) -> bool:
    here, there = os.fspath(source), os.fspath(target)
    if remote.is_url(there):
        return remote.is_url(here) and remote.place(here) == remote.place(there)
    path = remote.local_path(here) or Path(here)
    with suppress(OSError):
        return os.path.samefile(path.expanduser(), Path(there).expanduser())
    return False


def _shown(target: str | Path) -> str:
    return remote.shown(target) if isinstance(target, str) else str(target)
