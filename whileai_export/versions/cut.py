"""A new version of a dataset: written beside the others, renamed in, never changed again."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from whileai_export.pipeline.records import record_bytes
from whileai_export.shared.errors import SourceError
from whileai_export.shared.schema import JsonObject
from whileai_export.versions import damage
from whileai_export.versions import manifest as names
from whileai_export.versions.card import card_bytes, readme_bytes
from whileai_export.versions.difference import NAMED, difference
from whileai_export.versions.index import Index, counts
from whileai_export.versions.inputs import code_of, inputs_of
from whileai_export.versions.lost import lost
from whileai_export.versions.manifest import Manifest, read_manifest
from whileai_export.versions.parts import NOTHING, Part, Taken, outdated, take
from whileai_export.versions.placing import settle, write
from whileai_export.versions.shelf import Shelf
from whileai_export.versions.sides import place
from whileai_export.versions.split import Split

_HELD = ".held"
NO_SPLIT = Split()


@dataclass(frozen=True, slots=True)
class Cut:
    """The version that holds what was taken; ``new`` where it was not there before."""

    version: str
    folder: Path
    manifest: Manifest
    new: bool
    left_out: Sequence[JsonObject]
    """What this cut left out; of a version that was there already, its manifest may say less."""
    newer_input: Sequence[str]
    """Simulations that went in as they were published, and have input since that was not."""
    lost: Sequence[JsonObject] = ()
    """What it has no more, and the version before it holds."""


def cut(home: Path, dataset: str | None, parts: Iterable[Part], *, split: Split = NO_SPLIT) -> Cut:
    """A version of the parts that can be taken. The same content cuts no new one.

    Raises ``SourceError`` where nothing can be taken, or where the version before was edited.
    """
    shelf = Shelf.of(home, dataset)
    with shelf.locked():
        name = shelf.next_name()
        with shelf.unfinished(name) as folder:
            (folder / _HELD).mkdir()
            taken, left_out = take(parts, folder / _HELD)
            if not taken:
                raise SourceError(f"no version: {_reasons(left_out)}")
            content, newer = content_of(taken, split), outdated(taken)
            parent = _parent(shelf)
            if parent is not None and parent["content"] == content:
                shelf.point(parent["version"])
                there = shelf.folder(parent["version"])
                gone = lost(_before(shelf, parent), parent, left_out)
                return Cut(parent["version"], there, parent, False, left_out, newer, gone)
            _write(shelf, folder, name, taken, left_out, split, content, parent)
            shutil.rmtree(folder / _HELD)
            settle(folder)
            shelf.publish(folder, name)
        shelf.point(name)
    there = shelf.folder(name)
    made = read_manifest(there)
    return Cut(name, there, made, True, left_out, newer, lost(parent, made, left_out))


def content_of(taken: Iterable[Taken], split: Split) -> str:
    """One hash of all the files that go in, and of how they are divided."""
    said = [f"{file.kind} {file.format} {file.simulation} {file.sha256}"
            for part in taken for file in part.files]  # fmt: skip
    return hashlib.sha256("\n".join([repr(split.plain()), *sorted(said)]).encode()).hexdigest()


def _parent(shelf: Shelf) -> Manifest | None:
    """The version that was cut last, also where a kill kept ``LATEST`` from naming it."""
    newest = shelf.newest()
    if newest is None:
        return None
    with damage.parent(shelf, newest):
        return read_manifest(shelf.folder(newest))


def _before(shelf: Shelf, manifest: Manifest) -> Manifest | None:
    """The version before one that is there already; None where that cannot be read any more."""
    with suppress(SourceError, OSError):
        return read_manifest(shelf.folder(str(manifest["parent"])))
    return None


def _write(
    shelf: Shelf,
    folder: Path,
    name: str,
    taken: list[Taken],
    left_out: list[JsonObject],
    split: Split,
    content: str,
    parent: Manifest | None,
) -> None:
    """Everything that a version holds, its manifest last."""
    with Index() as index:
        files = place(taken, folder, split, index)
        inputs = inputs_of(taken)
        told: dict[str, Any] = {
            "schema": names.SCHEMA,
            "version": name,
            "dataset": shelf.dataset,
            "cut_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "content": content,
            "parent": None if parent is None else parent["version"],
            "split": split.plain(),
            "counts": counts(index),
            "files": files,
            "inputs": inputs,
            "code": code_of(inputs),
            "left_out": left_out,
            "newer_input": outdated(taken),
            "diff": None,
        }
        if parent is not None:
            with damage.parent(shelf, parent["version"]):
                index.add_version("old", shelf.folder(parent["version"]), parent)
            told["diff"] = difference(index, parent, told, NAMED)
    documents = {
        names.README: readme_bytes(told, [part.report for part in taken]),
        names.CARD: card_bytes(told),
    }
    for document, data in documents.items():
        write(folder / document, data)
    told["documents"] = {
        document: hashlib.sha256(data).hexdigest() for document, data in documents.items()
    }
    write(folder / names.MANIFEST, record_bytes(names.sealed(told)))


def _reasons(left_out: list[JsonObject]) -> str:
    if all(entry["reason"] == NOTHING for entry in left_out):
        names = sorted({str(entry["simulation"]) for entry in left_out})[:3] or ["SIMULATION"]
        return f"{NOTHING} yet; `whileai-export run {' '.join(names)}` publishes"
    said = [f"{entry['simulation']} ({entry['kind']}): {entry['reason']}" for entry in left_out]
    more = f"; and {len(said) - 3} more" if len(said) > 3 else ""
    return "; ".join(said[:3]) + more
