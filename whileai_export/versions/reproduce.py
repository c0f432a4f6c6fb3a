"""Does a version come out again, byte for byte, from its simulations?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from whileai_export.io.private import fetched_folder
from whileai_export.shared.errors import ExportError, SourceError
from whileai_export.shared.schema import JsonObject
from whileai_export.versions.index import Index
from whileai_export.versions.inputs import present
from whileai_export.versions.manifest import read_manifest
from whileai_export.versions.parts import Taken
from whileai_export.versions.remake import FindSimulation, Remake
from whileai_export.versions.shelf import Shelf
from whileai_export.versions.sides import place
from whileai_export.versions.split import Split


def reproduce(shelf: Shelf, word: str, find: FindSimulation, *, workers: int = 1) -> JsonObject:
    """Make every file again, aside, and compare. ``find`` says where a simulation lies.

    Names the inputs that are not the same any more; files made of them are not made again.
    """
    name = shelf.find(word)
    manifest = read_manifest(shelf.folder(name))
    problems: list[JsonObject] = []
    made: list[Taken] = []
    with fetched_folder() as folder:
        # The folder itself is locked while it is in use, and so is one that files are put in.
        remake = Remake(shelf.folder(name), manifest, find, folder / "made", workers)
        for entry in manifest["inputs"]:
            problem = _problem(entry, find)
            if not problem:
                try:
                    made += remake.of(entry)
                except ExportError as error:
                    problem = f"it cannot be made again: {error}"
            if problem:
                problems.append({"simulation": entry["simulation"], "problem": problem})
        test = manifest["split"]["test"]
        # How tasks are grouped depends on all simulations, so a part of them is divided otherwise.
        again = {} if test and problems else _digests(made, folder / "again", Split(test))
    missing = {problem["simulation"] for problem in problems}
    files = [_compared(file, again, missing) for file in manifest["files"]]
    same = not problems and all(file["same"] for file in files)
    return {"version": name, "same": same, "inputs": problems, "files": files}


def _problem(entry: JsonObject, find: FindSimulation) -> str:
    """Why an input is not the recorded one; nothing where it is."""
    try:
        now = present(find(entry["simulation"]))
    except (SourceError, OSError) as error:
        return str(error)
    if now["sha256"] != entry["sha256"]:
        was = entry["sha256"][:12]
        return f"its rows have sha256 {now['sha256'][:12]}, the manifest says {was}"
    if now["facts_sha256"] != entry.get("facts_sha256", now["facts_sha256"]):
        return "the facts beside its rows (profile.json, .meta.json) are not those of the manifest"
    if "training_rows" not in entry["steps"]:
        return "the manifest does not say how its rows were staged"
    return ""


def _digests(made: list[Taken], folder: Path, split: Split) -> dict[str, str]:
    folder.mkdir()
    with Index() as index:
        return {file["path"]: file["sha256"] for file in place(made, folder, split, index)}


def _compared(file: JsonObject, again: Mapping[str, str], missing: set[str]) -> JsonObject:
    came = again.get(file["path"])
    told = {"path": file["path"], "sha256": file["sha256"], "again": came}
    told["same"] = came == file["sha256"]
    if not told["same"]:
        told["why"] = _why(file, came, missing)
    return told


def _why(file: JsonObject, came: str | None, missing: set[str]) -> str:
    if file["simulation"] in missing:
        return "an input is not the same"
    if came is None:
        return "it was not made again"
    return "same inputs and options, other bytes: the code that writes has changed"
