"""What a version was made of and how: simulations, runs, options, code."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from whileai_export.io.hashing import file_sha256
from whileai_export.io.sidecar import PROFILE, sidecar_of
from whileai_export.io.source import TRAJECTORIES
from whileai_export.shared.errors import SourceError
from whileai_export.shared.schema import JsonObject
from whileai_export.versions.manifest import Manifest
from whileai_export.versions.parts import KINDS, Taken

_RECORDED = ("run_id", "code_version", "options_digest", "options", "holdout")


def inputs_of(taken: Iterable[Taken]) -> list[JsonObject]:
    """Every simulation that went in: its bytes, and the steps that made files of it."""
    found: dict[str, JsonObject] = {}
    for part in taken:
        told = part.report.get("input", {})
        entry = found.setdefault(
            part.part.simulation, {"simulation": part.part.simulation, **told, "steps": {}}
        )
        if part.staged:
            entry["steps"]["training_rows"] = {
                **_step(part.staged),
                "sha256": part.staged["outputs"][0]["sha256"],
                "prompt_given": _prompt_given(part.staged),
            }
        rows = {output["format"]: output["rows"] for output in part.report["outputs"]}
        entry["steps"][part.part.kind] = {**_step(part.report), "input": told, "rows": rows}
    return [found[name] for name in sorted(found)]


def _prompt_given(staged: JsonObject) -> bool:
    """A system prompt was given for all rows, beside what the simulation says itself."""
    return "argument" in staged.get("source", {}).get("system_prompt_from", {})


def _step(report: JsonObject) -> JsonObject:
    return {name: report[name] for name in _RECORDED if report.get(name) is not None}


def code_of(inputs: Iterable[JsonObject]) -> list[str]:
    """The versions of the code that wrote the files."""
    steps = [step for entry in inputs for step in entry["steps"].values()]
    return sorted({step["code_version"] for step in steps if "code_version" in step})


def by_name(manifest: Manifest) -> dict[str, JsonObject]:
    """The inputs of a version by simulation."""
    return {entry["simulation"]: entry for entry in manifest["inputs"]}


def input_changes(old: Manifest, new: Manifest) -> JsonObject:
    """Simulations that came, went, or have other bytes."""
    before, after = by_name(old), by_name(new)
    return {
        "added": sorted(after.keys() - before.keys()),
        "removed": sorted(before.keys() - after.keys()),
        "changed": [name for name in sorted(before.keys() & after.keys())
                    if _digests(before[name]) != _digests(after[name])],
    }  # fmt: skip


def option_changes(old: Manifest, new: Manifest) -> list[JsonObject]:
    """Options that a step had otherwise, with the simulations for which it had.

    ``of``: for how many simulations both versions say what the step had.
    """
    found: dict[str, JsonObject] = {}
    for step in ("training_rows", *KINDS):
        both = _both(step, by_name(old), by_name(new))
        for name, was, now in both:
            for change in _option_changes(step, _decided(was), _decided(now)):
                found.setdefault(repr(change), {**change, "simulations": [], "of": len(both)})
                found[repr(change)]["simulations"].append(name)
    if old["split"] != new["split"]:
        found["split"] = {"step": "version", "option": "split",
                          "from": old["split"], "to": new["split"]}  # fmt: skip
    return list(found.values())


def _both(
    step: str, before: Mapping[str, JsonObject], after: Mapping[str, JsonObject]
) -> list[tuple[str, JsonObject, JsonObject]]:
    """The simulations that went through a step in both versions, with what is said of it."""
    steps = [
        (name, before[name]["steps"].get(step), after[name]["steps"].get(step))
        for name in sorted(before.keys() & after.keys())
    ]
    return [(name, was, now) for name, was, now in steps if was is not None and now is not None]


def _decided(step: JsonObject) -> JsonObject:
    """The options of a step, and the evaluation files that its rows were compared with."""
    held = {"holdout": step["holdout"]} if "holdout" in step else {}
    return {**step.get("options", {}), **held}


def _option_changes(step: str, was: JsonObject, now: JsonObject) -> Iterable[JsonObject]:
    for name in sorted(was.keys() | now.keys()):
        one, other = was.get(name), now.get(name)
        if one != other:
            yield {"step": step, "option": name, "from": one, "to": other}


def code_changes(old: Manifest, new: Manifest) -> JsonObject:
    """The code that wrote the files, where it is another one."""
    return {} if old["code"] == new["code"] else {"from": old["code"], "to": new["code"]}


def present(simulation: Path) -> JsonObject:
    """The sha256 of a simulation as it lies on the disk, and of the facts beside its rows."""
    rows = rows_in(simulation)
    beside = (sidecar_of(rows), rows.with_name(PROFILE))
    return digests_of(rows, [path for path in beside if path.is_file()])


def digests_of(rows: Path, beside: Iterable[Path]) -> dict[str, str]:
    """What a simulation is recognised by: its rows, and the facts that stand beside them."""
    said = "\n".join(f"{path.name} {file_sha256(path)}" for path in beside)
    facts = hashlib.sha256(said.encode()).hexdigest() if said else ""
    return {"sha256": file_sha256(rows), "facts_sha256": facts}


def rows_in(simulation: Path) -> Path:
    """The file of a simulation that holds the rows."""
    if not simulation.is_dir():
        found = [simulation] if simulation.is_file() else []
    else:
        found = [simulation / name for name in TRAJECTORIES if (simulation / name).is_file()]
    if len(found) != 1:
        raise SourceError(
            f"simulation {simulation.name}: expected one file of rows, found {len(found)}"
        )
    return found[0]


def _digests(entry: JsonObject) -> tuple[Any, Any]:
    return entry.get("sha256"), entry.get("facts_sha256")
