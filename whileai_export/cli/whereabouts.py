"""Where published folders and simulations lie below a folder."""

from __future__ import annotations

import json
from pathlib import Path

from whileai_export.shared.schema import JsonObject

REPORT = "report.json"
_NAMED = frozenset(("path", "format", "sha256"))
#: Where they are below a home, and below one of its folders.
_BELOW = ("sft/*", "sft/*/*", "*", "*/*")


def report_in(folder: Path) -> JsonObject | None:
    """The report of the files that are published in a folder; None where none is."""
    try:
        found = json.loads((folder / REPORT).read_bytes())
    except (OSError, ValueError):
        return None
    outputs = found.get("outputs") if isinstance(found, dict) else None
    if not isinstance(outputs, list) or not all(isinstance(output, dict) for output in outputs):
        return None
    return found if all(output.keys() >= _NAMED for output in outputs) else None


def one_inside(folder: Path) -> Path | None:
    """The first published folder or simulation below a folder that is neither."""
    if _is_simulation(folder):
        return None
    below = (path for pattern in _BELOW for path in sorted(folder.glob(pattern)))
    return next((path for path in below if report_in(path) or _is_simulation(path)), None)


def _is_simulation(folder: Path) -> bool:
    return any(folder.glob("trajectories.jsonl*"))
