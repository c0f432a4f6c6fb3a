"""A report in words: what was read, checked, repaired, left out and written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from whileai_export.cli.terminal import columns, counted
from whileai_export.shared.schema import JsonObject


def lines(report: JsonObject) -> Iterator[str]:
    """The whole report; a part that has nothing to say is left out."""
    yield from columns(row for row in _rows(report) if row[1])


def _rows(report: JsonObject) -> Iterator[tuple[str, str]]:
    yield "read", _read(report)
    yield "system prompt", found_in(report["source"].get("system_prompt_from", {}))
    yield "tools", found_in(report["source"].get("tools_from", {}))
    yield "repaired", tally(report.get("repairs", {}))
    yield from gates(report)
    yield "left out", left_out(report)
    yield "tasks without", tally(report.get("without_pair", {}))
    for output in report.get("outputs", []):
        yield "written", written(output, "pairs" in report)
    for warning in report.get("warnings", []):
        yield "warning", warning


def gates(report: JsonObject) -> Iterator[tuple[str, str]]:
    """Every gate that ran and what it saw; the leak gate in its own words."""
    for gate, seen in report.get("findings", {}).items():
        summary = str(seen.get("summary", "")).removeprefix(f"{gate}: ")
        if gate == "privileged_leak":
            summary = report.get("privileged_leaks", {}).get("summary", summary)
        yield gate, summary


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
    said = [tally(there, "from ")] if there else []
    if missing:
        said.append(f"missing on {counted(missing, 'row')}" + (option and f": {option} gives it"))
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


def tally(counts: Mapping[str, int], before: str = "") -> str:
    """``argument 200, row 3``; nothing where all are nought."""
    named = [f"{before}{name} {n:,}" for name, n in counts.items() if n]
    return ", ".join(named)
