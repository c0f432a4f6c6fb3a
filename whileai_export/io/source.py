"""Anything that rows come from, opened: a path to read in blocks, or rows in memory."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Literal, TypeAlias

from whileai_export.io import remote
from whileai_export.io.plain import plain_object
from whileai_export.io.private import fetched_folder
from whileai_export.io.sidecar import (
    PROFILE,
    sidecar_of,
    surroundings_of_file,
    surroundings_of_object,
)
from whileai_export.shared.errors import SourceError
from whileai_export.shared.schema import Surroundings

Kind: TypeAlias = Literal["object", "rows", "file", "folder", "url"]

EXPECTED = "a path to .jsonl, .jsonl.gz or .jsonl.zst, a simulation folder, a URL, or rows"
TRAJECTORIES = ("trajectories.jsonl", "trajectories.jsonl.gz", "trajectories.jsonl.zst")
_HOLDS_ROWS = re.compile(r"\.(jsonl|ndjson|json)(\.gz|\.zst)?$")


@dataclass(frozen=True, slots=True)
class Source:
    """Rows to come, and what is known about all of them."""

    label: str
    kind: Kind
    around: Surroundings
    path: Path | None = None
    """The file that holds the rows; None where they are in memory."""
    rows: Iterable[object] | None = None
    """Rows in memory, read once; None where a file holds them."""


@contextmanager
def opened(source: object) -> Iterator[Source]:
    """The source as a path or as rows; what was fetched for it is removed at the end."""
    if isinstance(source, str | os.PathLike):
        text = os.fspath(source)
        if isinstance(text, bytes):
            text = os.fsdecode(text)
        if remote.is_url(text) and not remote.local_path(text):
            with fetched_folder() as folder:
                yield _fetched(text, folder)
            return
        yield _on_disk(remote.local_path(text) or Path(text))
        return
    yield _in_memory(source)


def _in_memory(source: object) -> Source:
    label = type(source).__name__
    if isinstance(source, Mapping):
        raise SourceError(f"expected {EXPECTED}; got one {label} (one row is [row])")
    if isinstance(source, io.IOBase):
        raise SourceError(f"expected {EXPECTED}; got an open file (pass its path)")
    trajectories = getattr(source, "trajectories", None)
    rows = source if trajectories is None else trajectories
    if not isinstance(rows, Iterable) or isinstance(rows, str | bytes | bytearray | Mapping):
        raise SourceError(f"expected {EXPECTED}; got {label}")
    return Source(
        label=f"{label} in memory",
        kind="rows" if trajectories is None else "object",
        around=surroundings_of_object(source),
        rows=map(plain_object, rows),
    )


def _on_disk(path: Path) -> Source:
    path = path.expanduser()
    label = _label(path)
    try:
        is_folder, is_there = path.is_dir(), path.exists()
    except PermissionError as error:
        raise SourceError(f"{label}: cannot be read: {error.strerror}") from error
    except (OSError, ValueError):  # a name that is too long, or that holds a null byte
        raise SourceError(f"{label}: not a path; expected {EXPECTED}") from None
    if is_folder:
        return _file(rows_in(path), label, "folder")
    if not is_there:
        raise SourceError(f"{label}: no such file or folder{_near(path)}; expected {EXPECTED}")
    return _file(path, label, "file")


def rows_in(folder: Path) -> Path:
    """The file of a simulation folder that holds the rows."""
    for name in TRAJECTORIES:
        if (folder / name).exists():
            return folder / name
    raise SourceError(
        f"{folder}: expected a simulation folder with trajectories.jsonl in it, got a folder"
        " without; pass the file itself, or one simulation's folder"
    )


def _file(path: Path, label: str, kind: Kind) -> Source:
    if not path.is_file() or not _HOLDS_ROWS.search(path.name):
        raise SourceError(f"{label}: expected a .jsonl, .jsonl.gz or .jsonl.zst file")
    try:
        with path.open("rb") as stream:
            empty = not stream.read(1)
    except OSError as error:
        raise SourceError(f"{label}: cannot be read: {error.strerror}") from error
    if empty:
        raise SourceError(f"{label}: expected rows, got an empty file")
    return Source(label, kind, surroundings_of_file(path), path=path)


def _fetched(url: str, folder: Path) -> Source:
    label = remote.shown(url)
    where = remote.place(url)
    name = label.rpartition("/")[2]
    if not _HOLDS_ROWS.search(name):
        where = _trajectories_at(where, label)
        name = where.path.rpartition("/")[2]
    path = folder / name
    remote.fetch(where, path, url)
    for beside in (sidecar_of(path).name, PROFILE):
        remote.fetch_if_there(where.beside(beside), folder / beside, url)
    return _file(path, label, "url")


def _trajectories_at(where: remote.Place, label: str) -> remote.Place:
    for name in TRAJECTORIES:
        if remote.is_there(where.inside(name), label):
            return where.inside(name)
    raise SourceError(
        f"{label}: expected a .jsonl, .jsonl.gz or .jsonl.zst file, or a simulation folder with"
        " trajectories.jsonl in it"
    )


def _label(path: Path) -> str:
    """The path, unless somebody passed the text of a row."""
    text = str(path)
    if len(text) > 500 or "\n" in text or text.lstrip()[:1] in ("{", "["):
        return f"text of {len(text)} characters"
    return text


def _near(path: Path) -> str:
    try:
        names = os.listdir(path.parent)
    except (OSError, ValueError):
        return ""
    near = get_close_matches(path.name, names, 1)
    return f" (did you mean {path.with_name(near[0])}?)" if near else ""
