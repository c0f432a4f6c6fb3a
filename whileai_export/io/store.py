"""Simulations in a folder of a store: which there are, and one of them fetched whole."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from whileai_export.io.remote import Place, fetch, place, shown
from whileai_export.io.sidecar import PROFILE
from whileai_export.io.source import TRAJECTORIES
from whileai_export.shared.errors import SourceError

_FACTS = (PROFILE, "trajectories.meta.json")
#: What stores say of a file that tells one content from another.
_TELLING = """size etag md5Hash content_md5 generation mtime created updated last_modified
    LastModified ETag""".split()


class Stored(NamedTuple):
    """One simulation in a store: what tells a change without reading it, and its files."""

    mark: str
    files: tuple[tuple[str, Place], ...]
    """Under the names that they have in a simulation's folder."""


def stored(url: str) -> dict[str, Stored]:
    """The simulations in the folder that a URL names: folders, and files with their sidecars."""
    base = place(url)
    try:
        base.store.invalidate_cache()
        found: Mapping[str, Any] = base.store.find(base.path, maxdepth=2, detail=True)
    except Exception as error:
        raise SourceError(f"{shown(url)}: cannot be listed ({type(error).__name__})") from error
    files: dict[str, list[tuple[str, Place]]] = {}
    marks: dict[str, list[str]] = {}
    for path, told in sorted(found.items()):
        name, file = _named(path.removeprefix(base.path).strip("/"))
        if file in (*TRAJECTORIES, *_FACTS):
            files.setdefault(name, []).append((file, Place(base.store, path)))
            said = [str(told[key]) for key in _TELLING if told.get(key) is not None]
            marks.setdefault(name, []).append(f"{file} {' '.join(said)}")
    return {
        name: Stored(hashlib.sha256("\n".join(marks[name]).encode()).hexdigest(), tuple(parts))
        for name, parts in files.items()
        if any(file in TRAJECTORIES for file, _ in parts)
    }


def fetch_stored(simulation: Stored, folder: Path, url: str) -> None:
    """Every file of a simulation, into a folder, readable by its owner only."""
    names = [name for name, _ in simulation.files]
    if len({*names}) < len(names) or sum(name in TRAJECTORIES for name in names) != 1:
        raise SourceError(f"{shown(url)}: expected one trajectories.jsonl, got several")
    for name, file in simulation.files:
        fetch(file, folder / name, url)
        (folder / name).chmod(0o600)


def _named(path: str) -> tuple[str, str]:
    """The simulation that a path belongs to, and the file's name inside its folder."""
    name, slash, file = path.partition("/")
    if slash:
        return name, file
    for suffix in (".jsonl", ".jsonl.gz", ".jsonl.zst", ".meta.json"):
        if name.endswith(suffix):
            return name.removesuffix(suffix), f"trajectories{suffix}"
    return name, ""
