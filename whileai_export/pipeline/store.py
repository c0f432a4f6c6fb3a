"""A simulation that lies in a store, brought under the home before it is read."""

from __future__ import annotations

import json
from pathlib import Path

from whileai_export.io.remote import is_url, shown
from whileai_export.io.store import fetch_stored, stored
from whileai_export.pipeline.folders import replaced
from whileai_export.shared.errors import SourceError

#: Says which bytes of which place a folder is a copy of. A folder without it is somebody's own.
MARKER = "fetched.json"

__all__ = ["bring", "brought", "is_url", "listed"]


def listed(url: str) -> dict[str, str]:
    """Every simulation in the folder that a URL names, with what tells a change of it."""
    return {name: simulation.mark for name, simulation in stored(url).items()}


def bring(url: str, name: str, folder: Path) -> None:
    """Make ``folder`` the copy of a simulation in a store; one that is already is left alone.

    The copy is made beside it and renamed in. Raises ``SourceError`` where the simulation is not
    in the store, and where the folder is no copy of it.
    """
    simulation = stored(url).get(name)
    if simulation is None:
        raise SourceError(f"{shown(url)}: holds no simulation {name}")
    mark = {"url": shown(url), "mark": simulation.mark}
    known = _marker(folder)
    if known == mark:
        return
    if folder.exists() and (known or {}).get("url") != mark["url"]:
        raise SourceError(f"simulation {name}: expected a copy of {mark['url']}, got another one")
    with replaced(folder) as fresh:
        fetch_stored(simulation, fresh, url)
        (fresh / MARKER).write_text(json.dumps(mark), "utf-8")


def brought(url: str, mark: str, folder: Path) -> bool:
    """Whether ``folder`` is the copy of what has that mark in a store."""
    return _marker(folder) == {"url": shown(url), "mark": mark}


def _marker(folder: Path) -> dict[str, str] | None:
    try:
        found = json.loads((folder / MARKER).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None
