"""A report in words: what was read, checked, repaired, left out and written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from whileai_export.cli import refusals, wording
from whileai_export.cli.terminal import columns
from whileai_export.shared.counted import counted
from whileai_export.shared.schema import JsonObject

#: Rows shown of each gate that only warns; a report names twenty and counts all.
FEW = 3
WARNING = ("structure", "tool_schema", "policy", "secrets")
#: What a gate says that had nothing to compare, and what it would need for that.
_IDLE = "not checked, there was nothing to compare"
_NEEDS = {
    "tool_call_roundtrip": "no row calls a tool",
    "tool_schema": "no row calls a tool whose schema is known",
    "policy": "no row names a system prompt to compare with (lineage.system_prompt_sha)",
}


#: Where a system prompt and tools come from, as it is said.
_FROM = {
    "row": "in the rows",
    "argument": "as given",
    "source": "the source's",
    "sidecar": "from the sidecar",
    "profile": "from profile.json",
}


def lines(report: JsonObject, simulation: str = "") -> Iterator[str]:
    """The whole report; a part that has nothing to say is left out."""
    yield from columns(row for row in _rows(report, simulation) if row[1])


def _rows(report: JsonObject, simulation: str) -> Iterator[tuple[str, str]]:
    yield "read", _read(report)
    yield "row ids", f"of the simulation {simulation}" if simulation else ""
    source = report["source"]
    yield "system prompt", found_in(source.get("system_prompt_from", {}), "--system-prompt FILE")
    yield "tools", found_in(source.get("tools_from", {}), "--tools FILE")
    yield "repaired", tally(report.get("repairs", {}))
    yield from gates(report)
    yield "left out", left_out(report)
    yield "tasks without", tally(report.get("without_pair", {}))
    for output in report.get("outputs", []):
        yield "written", written(output, "pairs" in report)
    for warning in report.get("warnings", []):
        yield "warning", wording.typed(warning)


def gates(report: JsonObject) -> Iterator[tuple[str, str]]:
    """Every gate that ran and what it saw; the leak gate in its own words."""
    for gate, seen in _seen(report):
        summary = str(seen.get("summary", "")).removeprefix(f"{gate}: ")
        if gate == "privileged_leak":
            summary = report.get("privileged_leaks", {}).get("summary", summary)
        if summary == _IDLE and gate in _NEEDS:
            summary = f"not checked: {_NEEDS[gate]}"
        yield gate, summary
        if gate in WARNING:
            yield from (("", line) for line in warned(seen))


def warned(seen: JsonObject) -> list[str]:
    """Where the first rows are that a gate only warns of."""
    named = seen.get("named", ()) if seen.get("count") else ()
    of_rows = {(found.get("row"), found.get("side")): found for found in reversed(named)}
    return refusals.places([*of_rows.values()][::-1], FEW)


def _seen(report: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    """The gates; where there are no tools, none about their schemas."""
    places = report.get("source", {}).get("tools_from", {"row": 1})
    bare = not any(n for place, n in places.items() if place != "none")
    for gate, seen in report.get("findings", {}).items():
        if gate != "tool_schema" or seen.get("checked") or not bare:
            yield gate, seen


def held(report: JsonObject) -> str:
    """How many gates hold, which only warn, and which found nothing to compare."""
    seen = dict(_seen(report))
    idle = [gate for gate, found in seen.items() if not found.get("checked")]
    warn = [gate for gate, found in seen.items() if found.get("count") and gate not in idle]
    holds = len(seen) - len(idle) - len(warn)
    some = counted(holds, "gate holds", "gates hold")
    said = f"every gate holds ({holds})" if holds == len(seen) else some
    if warn:
        said += f", {counted(len(warn), 'only warns', 'only warn')}: {', '.join(warn)}"
    return said + (f"; not checked: {', '.join(idle)}" if idle else "")


def lengths(report: JsonObject) -> str:
    """How long the rows are, in characters."""
    characters, rows = report.get("characters", 0), report.get("n", 0)
    return f"{characters // rows:,} characters a row on average" if rows else ""


def _read(report: JsonObject) -> str:
    shapes = tally(report["source"].get("shapes", {}))
    tasks = report.get("tasks", report.get("tasks_seen"))
    of_tasks = f", {counted(tasks, 'task')}" if tasks is not None else ""
    return f"{counted(report['counts']['read'], 'row')}{of_tasks}" + (f" ({shapes})" * bool(shapes))


def found_in(places: Mapping[str, int], option: str = "") -> str:
    """Where something came from, on how many rows, and on how many it came from nowhere."""
    there = {place: n for place, n in places.items() if place != "none"}
    missing = places.get("none", 0)
    said = [f"{_FROM.get(place, place)} ({counted(n, 'row')})" for place, n in there.items() if n]
    if missing:
        said.append(f"missing on {counted(missing, 'row')}" + (option and f": give {option}"))
    return "; ".join(said)


def left_out(report: JsonObject) -> str:
    """``min_reward 18, duplicate 4, set aside 2``."""
    counts = report["counts"]
    parts = dict(counts.get("filtered", {}))
    if counts.get("quarantined"):
        parts["quarantined"] = counts["quarantined"]
    return tally(parts)


def written(output: JsonObject, pairs: bool) -> str:
    what = counted(output["rows"], "pair" if pairs else "row")
    return f"{what}, {output['format']}: {output['path']}"


def tally(counts: Mapping[str, int]) -> str:
    """``argument 200, row 3``; nothing where all are nought."""
    named = [f"{name} {n:,}" for name, n in counts.items() if n]
    return ", ".join(named)
