"""What mends a refusal: in words, and as settings that an export or a run can be given."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeAlias

from whileai_export.shared.counted import counted
from whileai_export.shared.schema import JsonObject

#: What to do in words, and the settings that do it.
Remedy: TypeAlias = tuple[str, Mapping[str, Any]]

#: Stands for the code of a refusal that has none: rows that cannot be read.
UNREADABLE = "unreadable"
#: Gates whose rows can be set aside: the code of the refusal, and the option that does it.
_ASIDE: Mapping[str, tuple[str, str]] = {
    "tool_call_roundtrip": ("tool_call_roundtrip_invalid", "on_bad_row"),
    "privileged_leak": ("privileged_leak", "on_leak"),
}
#: Refusals of which the remedy is the same, whatever was found.
_SAME: Mapping[str, Remedy] = {
    "ungraded": ("take rows without a reward too", {"min_reward": None}),
    "no_preference_pairs": ("accept a smaller difference in reward", {"min_margin": 0.1}),
    "structure_invalid": ("let `structure` warn instead of refuse", {"strict": False}),
    "reload": ("let `reload` warn instead of refuse", {"reload": "warn"}),
}


def remedy(code: str, report: JsonObject, limit: float | None = None) -> Remedy | None:
    """What to do about the refusal of a gate; None where only the data can be mended.

    ``limit``: the share of rows that may be set aside, where the report's own is not what counts.
    """
    if code in [refusal for refusal, _ in _ASIDE.values()]:
        # Whatever else would refuse next is set aside with them.
        aside = {
            option: "quarantine"
            for gate, (refusal, option) in _ASIDE.items()
            if refusal == code or _refuses(report, gate)
        }
        settings = aside | _room(report, aside, limit)
        if settings.get("max_quarantined") == 1:
            return None
        return _words(report, aside), settings
    if code == UNREADABLE:
        aside = {"on_bad_row": "quarantine"}
        room = _room(report, aside, limit)
        return (_words(report, {}), aside | room) if mostly_fit(room) else None
    if code == "quarantine_limit":
        room = _room(report, {"on_bad_row": "quarantine"}, limit)
        return ("let that many rows be set aside", room) if mostly_fit(room) else None
    return _SAME.get(code)


def _words(report: JsonObject, aside: Mapping[str, str]) -> str:
    """What is set aside: what the gate found, and what could not even be read."""
    given = aside.get("on_bad_row", report.get("options", {}).get("on_bad_row"))
    torn = report.get("findings", {}).get("readable", {}).get("count", 0)
    if given != "quarantine" or not torn:
        return "leave these rows out and keep them in a private file"
    more = counted(torn, "row")
    return f"leave these rows out, with {more} that cannot be read, and keep them in a private file"


def by_hand(code: str, report: JsonObject) -> str:
    """What to do where no setting does it."""
    if code == "holdout":
        return "take these tasks out of the simulation, or out of the evaluation files"
    if code == "ungraded":
        return "grade the rows: a pair is a better and a worse one"
    adapter = report.get("options", {}).get("adapter")
    if code == "quarantine_limit" and adapter and none_readable(report):
        return f"mend the adapter {adapter}: no row can be read that comes out of it"
    return "mend these rows in the simulation"


def none_readable(report: JsonObject) -> bool:
    """Not a row can be read: another file is wanted, or another adapter."""
    read = report.get("counts", {}).get("read", 0)
    return bool(read) and report.get("findings", {}).get("readable", {}).get("count") == read


def unreadable(report: JsonObject) -> str:
    """How many rows there are, and where the first of them is wrong."""
    first = report["findings"]["readable"]["named"][0]
    where = f"line {first['line']}" if first.get("line") else f"row {first['row']}"
    read = counted(report["counts"]["read"], "row")
    return f"none of {read} can be read: {where}, {first['at']}: {first['problem']}"


def sets(settings: Mapping[str, Any]) -> list[str]:
    """Settings as the options of ``run``."""
    words = [f"{key}={str(value).lower()}" for key, value in settings.items()]
    return [part for word in words for part in ("--set", word)]


def mostly_fit(room: Mapping[str, Any]) -> bool:
    """Setting most of a file aside is no remedy: then it is another file that is wanted."""
    return bool(room.get("max_quarantined", 0) <= 0.5)


def _refuses(report: JsonObject, gate: str) -> bool:
    seen = report.get("findings", {}).get(gate, {})
    return bool(seen.get("count") and seen.get("refuses"))


def _room(report: JsonObject, aside: Mapping[str, str], limit: float | None) -> dict[str, Any]:
    """``max_quarantined`` where the rows to be set aside need more of it than there is."""
    findings, options = report.get("findings", {}), report.get("options", {})
    gates = {gate for gate, (_, option) in _ASIDE.items()
             if "quarantine" in (aside.get(option), options.get(option))}  # fmt: skip
    if "tool_call_roundtrip" in gates:
        gates.add("readable")
    hit = sum(findings.get(name, {}).get("count", 0) for name in gates)
    read = report.get("counts", {}).get("read", 0)
    if limit is None:
        limit = options.get("max_quarantined", 0.05)
    if not read or hit <= limit * read:
        return {}
    return {"max_quarantined": min(1.0, math.ceil(100 * hit / read) / 100)}
