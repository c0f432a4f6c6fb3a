"""Simulations that lie under the home, and whether somebody may still be writing them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from whileai_export.defs.inputs import simulation_files
from whileai_export.defs.resources import Folders, suffix_of
from whileai_export.shared.errors import SourceError
from whileai_export.shared.plain_name import plain_name

_EXPORTED = (".train", ".preference", ".quarantine")


@dataclass(frozen=True, slots=True)
class Found:
    """One simulation on disk: what tells a change without reading it, and if it is whole."""

    name: str
    mark: str
    """Sizes and times of its files."""
    whole: bool
    """It was renamed in, or holds its profile; otherwise it must stay unchanged for a while."""


def simulations(folders: Folders, pattern: str = "*") -> tuple[list[Found], list[str]]:
    """The simulations that a dataset takes, by name, and why other entries are none."""
    found, others = [], []
    for name in names_under(folders):
        if not fnmatchcase(name, pattern):
            continue
        try:
            found.append(_found(folders, plain_name(name)))
        except SourceError as error:
            others.append(str(error))
        except FileNotFoundError:
            continue  # gone since the folder was listed
        except OSError as error:
            others.append(f"simulation {name}: cannot be read: {error.strerror}")
    return found, others


def untaken(folders: Folders, patterns: Sequence[str]) -> list[str]:
    """The simulations under the home whose names fit none of the datasets' patterns."""
    return [
        name
        for name in names_under(folders)
        if not any(fnmatchcase(name, pattern) for pattern in patterns)
    ]


def names_under(folders: Folders) -> list[str]:
    """What may be a simulation under the home, by name, whoever takes it."""
    place = folders.home / "simulations"
    found = {_name(path) for path in place.iterdir()} if place.is_dir() else set()
    return sorted(name for name in found if name and not name.startswith("."))


def _name(path: Path) -> str:
    """A folder's name; of a file with rows what stands before its suffix; else nothing.

    What an export writes beside its source is no simulation, nor is what is still a ``.part``.
    """
    if os.path.isdir(path):
        return "" if path.name.endswith((".meta.json", ".part")) else path.name
    suffix = suffix_of(path.name)
    name = path.name.removesuffix(suffix) if suffix else ""
    return "" if name.endswith(_EXPORTED) else name


def _found(folders: Folders, name: str) -> Found:
    rows, facts = simulation_files(folders, name)
    states = [path.stat() for path in (rows, *facts)]
    mark = " ".join(f"{state.st_size}:{state.st_mtime_ns}" for state in states)
    source = folders.simulation(name)
    in_folder = source.is_dir()
    has_profile = in_folder and any(path.name == "profile.json" for path in facts)
    return Found(name, mark, has_profile or _renamed_in(source, rows))


def _renamed_in(source: Path, rows: Path) -> bool:
    """A rename changes when the entry itself changed, and not when its content did."""
    moved = source.stat()
    written = max(moved.st_mtime_ns, rows.stat().st_mtime_ns)
    return moved.st_ctime_ns > written
