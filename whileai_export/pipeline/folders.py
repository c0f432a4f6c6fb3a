"""Folders that are made aside and take their place whole, in the company of others."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from whileai_export.io.part import cannot_write, one_at_a_time, sync_folder
from whileai_export.io.private import leftovers, scratch_folder

__all__ = ["one_at_a_time", "replaced"]

_BEGUN = re.compile(r"\.(.+)\.[0-9a-f]{16}\.part")
_NEW, _FORMER = "new", "former"


@contextmanager
def replaced(place: Path, former: Path | None = None) -> Iterator[Path]:
    """A private folder to fill, which then takes its place; after an error all is as it was.

    ``former``: what goes for it, where that has another name. What a killed run left beside the
    place is finished where the former was gone already, and else cleared.
    """
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        for left in leftovers(place.parent, _BEGUN):
            _finish(left)
        with scratch_folder(place.parent, f".{place.name}.", ".part") as scratch:
            (scratch / _NEW).mkdir(0o700)
            yield scratch / _NEW
            _to_disk(scratch / _NEW)
            with one_at_a_time([place.parent]):
                _swap(scratch, place, former or place)
    except OSError as error:
        raise cannot_write(place, error) from error


def _swap(scratch: Path, place: Path, former: Path) -> None:
    if former.exists():
        former.rename(scratch / _FORMER)
    try:
        (scratch / _NEW).rename(place)
    except OSError:
        with suppress(FileNotFoundError):
            (scratch / _FORMER).rename(former)
        raise
    sync_folder(place.parent)


def _finish(left: Path) -> None:
    """The former had gone, so the new one was whole: it takes the place that is empty now."""
    name = left.name[1:].rsplit(".", 2)[0]
    taken = (left.parent / name).exists() or any(left.parent.glob(f"{name}.jsonl*"))
    if (left / _FORMER).exists() and not taken:
        with suppress(FileNotFoundError):
            (left / _NEW).rename(left.parent / name)


def _to_disk(folder: Path) -> None:
    for path in folder.iterdir():
        with path.open("rb") as file:
            os.fsync(file.fileno())
    sync_folder(folder)
