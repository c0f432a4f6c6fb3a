"""A version made again from its simulations, with the options that its manifest recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from whileai_export.io.private import fetched_folder
from whileai_export.pipeline.preference import write_pairs
from whileai_export.pipeline.sft import stage_training_rows, write_sft
from whileai_export.shared.errors import ExportError, OptionError, SourceError
from whileai_export.shared.options import PairOptions, Policy, Selection, SftOptions
from whileai_export.shared.schema import JsonObject
from whileai_export.versions.index import Index
from whileai_export.versions.inputs import present
from whileai_export.versions.manifest import Manifest, read_manifest
from whileai_export.versions.parts import KINDS, File, Part, Taken
from whileai_export.versions.shelf import Shelf
from whileai_export.versions.sides import place
from whileai_export.versions.split import Split

OptionsT = TypeVar("OptionsT", SftOptions, PairOptions)
FindSimulation = Callable[[str], Path]


def reproduce(
    shelf: Shelf, word: str, find: FindSimulation, *, workers: int = 1
) -> JsonObject:
    """Make every file again, aside, and compare. ``find`` says where a simulation lies.

    Names the inputs that are not the same any more; files made of them are not made again.
    """
    name = shelf.find(word)
    manifest = read_manifest(shelf.folder(name))
    problems: list[JsonObject] = []
    made: list[Taken] = []
    with fetched_folder() as folder:
        for entry in manifest["inputs"]:
            said = _problem(entry, find)
            if not said:
                try:
                    made += _made(entry, manifest, find, folder, workers)
                except ExportError as error:
                    said = f"it cannot be made again: {type(error).__name__}: {error}"
            if said:
                problems.append({"simulation": entry["simulation"], "problem": said})
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
        return f"its rows have sha256 {now['sha256'][:12]}, the manifest says {entry['sha256'][:12]}"
    if now["facts_sha256"] != entry.get("facts_sha256", now["facts_sha256"]):
        return "the facts beside its rows (profile.json, .meta.json) are not those of the manifest"
    if "training_rows" not in entry["steps"]:
        return "the manifest does not say how its rows were staged"
    return ""


def _made(
    entry: JsonObject, manifest: Manifest, find: FindSimulation, folder: Path, workers: int
) -> Iterator[Taken]:
    """The published files of one simulation, made again."""
    simulation, steps = entry["simulation"], entry["steps"]
    rows = folder / f"{simulation}.jsonl"
    with stage_training_rows(
        find(simulation),
        rows,
        options=options_from(SftOptions, steps["training_rows"]["options"]),
        quarantine=folder / f"{simulation}.quarantine",
        simulation=simulation,
        system_prompt=steps["training_rows"].get("system_prompt"),
        workers=workers,
    ) as staged:
        staged.publish()
    for kind in KINDS:
        if kind in steps:
            targets = {
                file["format"]: folder / f"{kind}.{file['format']}.{simulation}"
                for file in manifest["files"]
                if (file["kind"], file["simulation"]) == (kind, simulation)
            }
            yield _written(kind, simulation, rows, targets, steps[kind]["options"], workers)


def _written(
    kind: Any,
    simulation: str,
    rows: Path,
    targets: Mapping[Any, Path],
    recorded: JsonObject,
    workers: int,
) -> Taken:
    if kind == "sft":
        options = options_from(SftOptions, recorded)
        outcome = write_sft(rows, targets, options=options, simulation=simulation, workers=workers)
    else:
        chosen = options_from(PairOptions, recorded)
        outcome = write_pairs(rows, targets, options=chosen, simulation=simulation,
                              workers=workers)  # fmt: skip
    with outcome:
        outcome.publish()
        files = [
            File(kind, output["format"], simulation, Path(output["path"]), output["sha256"])
            for output in outcome.report["outputs"]
        ]
    return Taken(Part(simulation, kind, rows.parent), outcome.report, {}, tuple(files))


def _digests(made: list[Taken], folder: Path, split: Split) -> dict[str, str]:
    folder.mkdir()
    with Index() as index:
        return {file["path"]: file["sha256"] for file in place(made, folder, split, index)}


def _compared(file: JsonObject, again: Mapping[str, str], missing: set[str]) -> JsonObject:
    came = again.get(file["path"])
    told = {"path": file["path"], "sha256": file["sha256"], "again": came}
    told["same"] = came == file["sha256"]
    if not told["same"]:
        told["why"] = (
            "an input is not the same"
            if file["simulation"] in missing
            else "same inputs and options, other bytes: the code that writes has changed"
            if came
            else "it was not made again"
        )
    return told


def options_from(type_: type[OptionsT], recorded: Mapping[str, Any]) -> OptionsT:
    """Options as a report recorded them, flat."""
    values = {k: tuple(v) if isinstance(v, list) else v for k, v in recorded.items()}
    selection = {f.name: values.pop(f.name) for f in fields(Selection) if f.name in values}
    policy = {f.name: values.pop(f.name) for f in fields(Policy) if f.name in values}
    try:
        return type_(**values, selection=Selection(**selection), policy=Policy(**policy))
    except TypeError as error:
        raise OptionError(f"options of the manifest: {error}") from None
