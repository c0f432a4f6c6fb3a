"""Held files to their places in a version: linked whole, or divided by task."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import BinaryIO

from whileai_export.shared.schema import JsonObject
from whileai_export.versions.index import Index, Named
from whileai_export.versions.parts import File, Taken
from whileai_export.versions.rows import Row, ask_of, read_lines, read_rows, row_of, task_of
from whileai_export.versions.split import Groups, Side, Split, groups_of

SIDES: tuple[Side, ...] = ("train", "test")


def place(taken: Iterable[Taken], folder: Path, split: Split, index: Index) -> list[JsonObject]:
    """Put every file in its place, note its rows in the index, and say what is where."""
    files = [file for part in taken for file in part.files]
    groups = groups_of(_tasks_and_asks(files)) if split.test else None
    told = []
    for file in files:
        if groups is None:
            told.append(_whole(file, folder, index))
        else:
            told += _Division(file, folder, groups, split).divided(index)
        file.path.unlink(missing_ok=True)
    return sorted(told, key=lambda entry: str(entry["path"]))


def _tasks_and_asks(files: Iterable[File]) -> Iterator[tuple[str | None, bytes]]:
    for file in files:
        for row, _ in read_lines(file.path, _label(file)):
            yield task_of(row), ask_of(row)


def _whole(file: File, folder: Path, index: Index) -> JsonObject:
    target = _target(file, folder, "train")
    index.add("new", _named(file), "train", read_rows(file.path, _label(file)))
    file.path.rename(target)
    return _told(file, folder, target, "train", file.rows, file.sha256)


class _Division:
    """One file on its way to both sides."""

    def __init__(self, file: File, folder: Path, groups: Groups, split: Split) -> None:
        self.file = file
        self.folder = folder
        self.groups = groups
        self.split = split
        self.rows: Counter[Side] = Counter()
        self.seen = {side: hashlib.sha256() for side in SIDES}

    def divided(self, index: Index) -> list[JsonObject]:
        """A file for each side that has rows; the published file itself where one has all."""
        file = self.file
        targets = {side: _target(file, self.folder, side) for side in SIDES}
        with ExitStack() as stack:
            out = {side: stack.enter_context(targets[side].open("wb")) for side in SIDES}
            index.add_sides("new", _named(file), self._written(out))
            for stream in out.values():
                stream.flush()
                os.fsync(stream.fileno())
        for side in SIDES:
            if not self.rows[side]:
                targets[side].unlink()
                with suppress(OSError):  # another simulation's file is in it
                    targets[side].parent.rmdir()
        if len(self.rows) == 1:
            file.path.replace(targets[next(iter(self.rows))])
        return [
            _told(file, self.folder, targets[side], side, rows, self.seen[side].hexdigest())
            for side, rows in self.rows.items()
        ]

    def _written(self, out: Mapping[Side, BinaryIO]) -> Iterator[tuple[Side, Row]]:
        for row, line in read_lines(self.file.path, _label(self.file)):
            side = self.groups.side(task_of(row), ask_of(row), self.split)
            self.rows[side] += 1
            self.seen[side].update(line)
            out[side].write(line)
            yield side, row_of(row, line)


def _named(file: File) -> Named:
    return Named(file.kind, file.format, file.simulation)


def _label(file: File) -> str:
    return f"{file.simulation} ({file.kind}.{file.format})"


def _target(file: File, folder: Path, side: Side) -> Path:
    target = folder / file.kind / file.format / side / f"{file.simulation}.jsonl"
    target.parent.mkdir(parents=True, exist_ok=True)
    return target


def _told(file: File, folder: Path, target: Path, side: Side, rows: int, sha256: str) -> JsonObject:
    return {
        "path": target.relative_to(folder).as_posix(),
        "kind": file.kind,
        "format": file.format,
        "split": side,
        "simulation": file.simulation,
        "rows": rows,
        "bytes": target.stat().st_size,
        "sha256": sha256,
        "published_sha256": file.sha256,
    }
