"""What the version before holds of a simulation, and a new one does not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from whileai_export.shared.schema import JsonObject
from whileai_export.versions.inputs import by_name
from whileai_export.versions.manifest import Manifest
from whileai_export.versions.parts import KINDS

#: Why it is not there where nobody left it out.
UNKNOWN = "it is no partition of the dataset any more"


def lost(
    parent: Manifest | None, made: Manifest, left_out: Iterable[JsonObject]
) -> list[JsonObject]:
    """The simulations that a version lost, each with the kinds of rows and the reason.

    ``whole``: nothing of it is left. ``waits``: it comes back once a run has ended.
    """
    now, reasons = by_name(made), {(e["simulation"], e["kind"]): e for e in left_out}
    found: list[JsonObject] = []
    for name, was in by_name(parent).items() if parent is not None else ():
        held, kept = _kinds(was), _kinds(now.get(name, {}))
        kinds = [kind for kind in held if kind not in kept]
        if kinds:
            said = reasons.get((name, kinds[0]), {"reason": UNKNOWN})
            found.append(
                {
                    "simulation": name,
                    "kinds": kinds,
                    "whole": not kept,
                    "reason": said["reason"],
                    "waits": said.get("waits", False),
                }
            )
    return found


def _kinds(entry: Mapping[str, JsonObject]) -> list[str]:
    return [kind for kind in KINDS if kind in entry.get("steps", {})]


def lost_line(version: str, parent: str, entry: JsonObject, again: str) -> str:
    """One loss, why it is one and what helps; ``again``: the command that runs it once more."""
    what = entry["simulation"] if entry["whole"] else _of(entry)
    helps = "" if entry["waits"] else f"; this runs it again and says what helps: {again}"
    return f"{version} has no {what}, which {parent} had: {entry['reason']}{helps}"


def _of(entry: JsonObject) -> str:
    rows = {"sft": "rows", "preference": "pairs"}
    return f"{' and '.join(rows[kind] for kind in entry['kinds'])} of {entry['simulation']}"
