"""Is a version still what was cut? Every digest, every count, every file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whileai_export.io.hashing import file_sha256
from whileai_export.shared.counted import counted
from whileai_export.shared.errors import SourceError
from whileai_export.shared.schema import JsonObject
from whileai_export.versions.index import Index, counts, named, shared_tasks
from whileai_export.versions.manifest import (
    MANIFEST,
    Manifest,
    NewerSchema,
    read_manifest,
    seal_of,
)
from whileai_export.versions.parts import KINDS
from whileai_export.versions.rows import Row, read_rows
from whileai_export.versions.shelf import Shelf


@dataclass(frozen=True, slots=True)
class Verified:
    """What was looked at, and everything that is not as it was."""

    version: str
    files: int
    rows: int
    problems: tuple[str, ...]
    shared_tasks: tuple[str, ...]
    """Tasks that have rows in two splits."""

    @property
    def intact(self) -> bool:
        """Nothing was touched since the version was cut."""
        return not self.problems

    def plain(self) -> JsonObject:
        """JSON-safe."""
        return {
            "version": self.version,
            "intact": self.intact,
            "files": self.files,
            "rows": self.rows,
            "problems": list(self.problems),
            "tasks_in_two_splits": list(self.shared_tasks),
        }


def verify(shelf: Shelf, word: str) -> Verified:
    """Read the whole version again, and name what differs from the manifest."""
    name = shelf.find(word)
    folder = shelf.folder(name)
    try:
        manifest = read_manifest(folder, doubted=True)
    except NewerSchema:
        raise
    except SourceError as error:  # without it nobody knows what there should be
        return Verified(name, 0, 0, (str(error).removeprefix(f"{name}/"),), ())
    problems: list[str] = []
    if manifest.get("digest") != seal_of(manifest):
        problems.append(f"{MANIFEST}: it was edited after the version was cut")
    try:
        return _compared(folder, manifest, problems)
    except (AttributeError, KeyError, TypeError, ValueError):
        lost = f"{MANIFEST}: what it says of the files cannot be read"
        return Verified(name, 0, 0, (*problems, lost), ())


def _compared(folder: Path, manifest: Manifest, problems: list[str]) -> Verified:
    rows = 0
    found = [*problems]
    with Index() as index:
        for file in manifest["files"]:
            read, differing = _read(index, folder, file)
            rows += read
            found += differing
        found += _differences("counts", manifest["counts"], counts(index))
        shared = shared_tasks(index)
    found += [*sums(manifest), *_documents(folder, manifest), *_foreign(folder, manifest)]
    return Verified(folder.name, len(manifest["files"]), rows, tuple(found), tuple(shared))


def _read(index: Index, folder: Path, file: JsonObject) -> tuple[int, list[str]]:
    path, label = folder / file["path"], file["path"]
    if not path.is_file():
        return 0, [f"{label}: it is gone"]
    problems = []
    came = file_sha256(path)
    if came != file["sha256"]:
        problems.append(f"{label}: sha256 is {came[:12]}, the manifest says {file['sha256'][:12]}")
    if path.stat().st_size != file["bytes"]:
        size = path.stat().st_size
        problems.append(f"{label}: {size} bytes, the manifest says {file['bytes']}")
    rows: list[Any] = [0]

    def readable() -> Iterator[Row]:
        try:
            for row in read_rows(path, label):
                rows[0] += 1
                yield row
        except SourceError as error:
            problems.append(str(error))

    index.add("new", named(file), file["split"], readable())
    if rows[0] != file["rows"]:
        problems.append(f"{label}: {counted(rows[0], 'row')}, the manifest says {file['rows']}")
    return rows[0], problems


def _differences(place: str, said: Any, found: Any) -> Iterator[str]:
    """Where two counts differ, each by its place."""
    if isinstance(said, dict) and isinstance(found, dict):
        for key in sorted(said.keys() | found.keys()):
            yield from _differences(f"{place}.{key}", said.get(key, 0), found.get(key, 0))
    elif said != found:
        yield f"{place}: the manifest says {said}, the files hold {found}"


def sums(manifest: Manifest) -> Iterator[str]:
    """Where the rows of the files do not add up to what was published, or to the counts."""
    published, lines = Counter[tuple[str, str, str]](), Counter[tuple[str, str, str]]()
    for file in manifest["files"]:
        published[file["kind"], file["format"], file["simulation"]] += file["rows"]
        lines[file["kind"], file["format"], file["split"]] += file["rows"]
    for (kind, format, split), rows in lines.items():
        said = manifest["counts"].get(kind, {}).get("lines", {}).get(format, {}).get(split)
        if said != rows:
            place = f"{kind} {format} {split}"
            yield f"{place}: the files hold {counted(rows, 'row')}, the counts say {said}"
    for entry in manifest["inputs"]:
        for kind in KINDS:
            for format, said in entry["steps"].get(kind, {}).get("rows", {}).items():
                rows = published[kind, format, entry["simulation"]]
                if said != rows:
                    yield (
                        f"{entry['simulation']} {kind} {format}:"
                        f" {counted(said, 'row was', 'rows were')} published,"
                        f" the version holds {rows}"
                    )


def _documents(folder: Path, manifest: Manifest) -> Iterator[str]:
    for name, sha256 in manifest["documents"].items():
        path = folder / name
        if not path.is_file():
            yield f"{name}: it is gone"
        elif file_sha256(path) != sha256:
            yield f"{name}: it was edited after the version was cut"


def _foreign(folder: Path, manifest: Manifest) -> Iterator[str]:
    known = {MANIFEST, *manifest["documents"], *(file["path"] for file in manifest["files"])}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if not path.is_dir() and name not in known:
            yield f"{name}: the manifest does not name it"
