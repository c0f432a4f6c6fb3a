"""Versions and rows of versions in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from whileai_export.cli.terminal import columns, wrapped
from whileai_export.shared.counted import counted
from whileai_export.shared.schema import JsonObject
from whileai_export.versions.news import FEW, named_rows, summary

#: What `training_rows` decides; the later steps only carry the library's defaults of these.
_OF_ROWS = ("on_bad_row", "on_leak", "max_quarantined", "strict", "adapter", "max_row_bytes")


def listed_line(dataset: str, entry: JsonObject) -> tuple[str, ...]:
    """One version in the list of all."""
    name = f"{dataset}/{entry['version']}" if dataset else entry["version"]
    marks = ", ".join([*entry["tags"], *(["LATEST"] if entry["latest"] else [])])
    if "problem" in entry:
        return name, marks, entry["problem"], "", ""
    rows = entry["counts"].get("sft", {}).get("rows", 0)
    pairs = entry["counts"].get("preference", {}).get("rows", 0)
    said = f"{counted(rows, 'row')}, {counted(pairs, 'pair')}"
    return name, marks, said, counted(entry["simulations"], "simulation"), entry["cut_at"]


def difference_lines(found: JsonObject, whole: bool, all_of_them: str) -> Iterator[str]:
    """What is other in a version, the first rows of each sort; ``all_of_them`` shows the rest."""
    limit = None if whole else FEW
    yield from summary(found, limit)
    sorts = list(named_rows(found, limit))
    for sort in sorts:
        yield f"\n{sort.title}"
        yield from columns(sort.rows)
        if sort.more:
            yield f"  and {sort.more:,} more"
    if any(sort.more for sort in sorts):
        yield f"\nall of them: {all_of_them}"


def traced_lines(found: JsonObject) -> Iterator[tuple[str, str]]:
    """What is known of a row, a line a fact."""
    yield "row", f"{found['row_id']} ({found['kind']}, {found['split']})"
    yield "simulation", f"{found['simulation']} (sha256 {str(found['simulation_sha256'])[:12]})"
    yield "task", str(found["task"])
    for row in found["sources"]["rows"]:
        yield row.get("side", "source"), _source(row)
    if not found["sources"]["known"]:
        yield "source", f"not known: {found['sources']['why']}"
    for place in found["places"]:
        yield "in", f"{place['path']}, line {place['line']}"
    yield "run", str(found["run_id"])
    yield from _decided(found)
    yield from wrapped("versions", ", ".join(found["versions"]))


def _source(row: JsonObject) -> str:
    turn = f", turn {row['turn']}" if "turn" in row else ""
    return f"line {row['line']}, rollout {row['rollout']}{turn} (row {row['row_id']})"


def _decided(found: JsonObject) -> Iterator[tuple[str, str]]:
    """The options of the step that made the row, and of the one that let it through the gates."""
    staged = found["steps"].get("training_rows", {}).get("options")
    options = {
        key: value
        for key, value in (found["options"] or {}).items()
        if staged is None or key not in _OF_ROWS
    }
    said = f"{found['options_digest']}: {_options(options)}"
    yield from wrapped(f"{found['kind']} options", said)
    if staged is not None:
        of_rows = _options({key: staged.get(key) for key in _OF_ROWS})
        yield from wrapped("training_rows options", of_rows)


def _options(options: JsonObject) -> str:
    said: dict[str, Any] = {k: v for k, v in options.items() if v not in (None, False)}
    return ", ".join(f"{key}={value}" for key, value in said.items())
