"""Where one row of a version came from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from whileai_export.io.lines import lines
from whileai_export.shared.errors import OptionError, SourceError
from whileai_export.shared.schema import JsonObject
from whileai_export.versions.manifest import Manifest, read_manifest
from whileai_export.versions.rows import decoded, id_of, task_of
from whileai_export.versions.shelf import Shelf
from whileai_export.versions.staged import StagedRows, called_alone, found_in

_ID = re.compile(r"[0-9a-f]{16}")


def trace(shelf: Shelf, word: str, row_id: str) -> JsonObject:
    """Everything that is known of a row.

    Names places and numbers, never what the row says.
    """
    name = shelf.find(word)
    manifest = read_manifest(shelf.folder(name))
    places = list(_places(shelf.folder(name), manifest, row_id))
    if not places:
        raise OptionError(
            f"{name} holds no row {row_id}; {_elsewhere(shelf, manifest, row_id, word)}"
        )
    first, row = places[0]
    entry = next(e for e in manifest["inputs"] if e["simulation"] == first["simulation"])
    steps = entry["steps"]
    step = steps[first["kind"]]
    return {
        "row_id": row_id,
        "version": name,
        "kind": first["kind"],
        "simulation": first["simulation"],
        "also_in": sorted({place["simulation"] for place, _ in places} - {first["simulation"]}),
        "simulation_sha256": step.get("input", {}).get("sha256"),
        "task": task_of(row),
        "split": first["split"],
        "score": row.get("margin", row.get("reward")),
        "places": [place for place, _ in places],
        "sources": found_in(
            StagedRows(shelf.staged, first["simulation"], steps), row_id, task_of(row)
        ),
        "run_id": step.get("run_id"),
        "code_version": step.get("code_version"),
        "options": step.get("options"),
        "options_digest": step.get("options_digest"),
        "steps": {
            name: {"run_id": made.get("run_id"), "options": made.get("options")}
            for name, made in steps.items()
        },
        "versions": [other for other in shelf.names() if _holds(shelf.folder(other), row_id)],
    }


def _places(
    folder: Path, manifest: Manifest, row_id: str
) -> Iterator[tuple[JsonObject, dict[str, Any]]]:
    """Every line of a version that is the row, with the row itself."""
    told = dict.fromkeys(("kind", "simulation", "split", "format", "path"))
    for file in manifest["files"]:
        for number, line in lines(folder / file["path"]):
            # Most lines are ruled out by their bytes.
            if row_id.encode() not in line and file["format"] != "fireworks":
                continue
            row = decoded(line)
            if id_of(row, line) == row_id:
                yield {**{name: file[name] for name in told}, "line": number}, row


def _holds(folder: Path, row_id: str) -> bool:
    try:
        return any(True for _ in _places(folder, read_manifest(folder), row_id))
    except (SourceError, OSError):  # a version that somebody edited says nothing of the others
        return False


def _elsewhere(shelf: Shelf, manifest: Manifest, row_id: str, word: str) -> str:
    """Where the row is, or why nobody here knows it and what to type."""
    found = [name for name in shelf.names() if _holds(shelf.folder(name), row_id)]
    if found:
        return f"it is in {', '.join(found)}"
    if not _ID.fullmatch(row_id):
        return "expected 16 hex digits, as they stand under row_id in the files of the version"
    for entry in manifest["inputs"]:
        staged = StagedRows(shelf.staged, entry["simulation"], entry["steps"])
        here = called_alone(staged, row_id)
        if here is not None:
            told = "/".join(filter(None, [shelf.dataset, word]))
            return (
                f"a file that was exported by itself calls a row so. Here it is {here}:"
                f" `whileai-export trace {told} {here}`. `whileai-export export FILE --simulation"
                f" {entry['simulation']}` writes the ids of here"
            )
    return (
        "no version does. A row that was published since is in none yet: `whileai-export cut`."
        " A file that was exported by itself has other ids, unless its simulation was named:"
        " `whileai-export export FILE --simulation NAME`"
    )
