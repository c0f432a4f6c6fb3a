"""Held files to their places in a version: linked whole, or divided by task."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

from whileai_export.shared.schema import JsonObject
from whileai_export.versions.index import Index
from whileai_export.versions.parts import File, Taken
from whileai_export.versions.rows import Row, read_rows
from whileai_export.versions.split import Groups, Side, Split, groups_of

SIDES: tuple[Side, ...] = ("train", "test")


def place(taken: Iterable[Taken], folder: Path, split: Split, index: Index) -> list[JsonObject]:
    """Put every file in its place, note its rows in the index, and say what is where."""
    files = [file for part in taken for file in part.files]
    groups = groups_of(_tasks_and_asks(files)) if split.test else None
    told = []
    for file in files:
        placed = [_whole(file, folder, index)] if groups is None else (
            _divided(file, folder, index, groups, split)
        )  # fmt: skip
        told += placed
        file.path.unlink(missing_ok=True)
    return sorted(told, key=lambda entry: str(entry["path"]))


def _tasks_and_asks(files: Iterable[File]) -> Iterator[tuple[str | None, bytes]]:
    for file in files:
        for _, row in _read(file):
            yield row.task, row.ask


def _read(file: File) -> Iterator[tuple[bytes, Row]]:
    return read_rows(file.path, f"{file.simulation} ({file.kind}.{file.format})")


def _whole(file: File, folder: Path, index: Index) -> JsonObject:
    target = _target(file, folder, "train")
    rows = index.add("new", file.kind, file.format, "train", (row for _, row in _read(file)))
    file.path.rename(target)
    return _told(file, folder, target, "train", rows, file.sha256)


def _divided(
    file: File, folder: Path, index: Index, groups: Groups, split: Split
) -> list[JsonObject]:
    """A file for each side that has rows; the published file itself where one side has all."""
    found = {side: _count(file, groups, split, side) for side in SIDES}
    sides = [side for side in SIDES if found[side]]
    if len(sides) == 1:
        target = _target(file, folder, sides[0])
        index.add("new", file.kind, file.format, sides[0], (row for _, row in _read(file)))
        file.path.rename(target)
        return [_told(file, folder, target, sides[0], found[sides[0]], file.sha256)]
    return [_side(file, folder, index, groups, split, side) for side in sides]


def _count(file: File, groups: Groups, split: Split, side: Side) -> int:
    return sum(groups.side(row.task, row.ask, split) == side for _, row in _read(file))


def _side(
    file: File, folder: Path, index: Index, groups: Groups, split: Split, side: Side
) -> JsonObject:
    target = _target(file, folder, side)
    seen = hashlib.sha256()
    with ExitStack() as stack:
        out: BinaryIO = stack.enter_context(target.open("wb"))

        def written() -> Iterator[Row]:
            for line, row in _read(file):
                if groups.side(row.task, row.ask, split) == side:
                    seen.update(line)
                    out.write(line)
                    yield row

        rows = index.add("new", file.kind, file.format, side, written())
        out.flush()
        os.fsync(out.fileno())
    return _told(file, folder, target, side, rows, seen.hexdigest())


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
