"""Which rows of two versions can be compared: by their ids, by their lines, or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple, TypeAlias

from whileai_export.core.wire import BARE
from whileai_export.shared.schema import JsonObject
from whileai_export.versions.index import Age, Index

#: ``rows``: the same ids in the same formats. ``scores``: the same ids, in no format that both
#: have. ``lines``: no ids, but a format that both have. ``nothing``: only one side has ids.
By: TypeAlias = Literal["rows", "scores", "lines", "nothing"]
_Place: TypeAlias = tuple[str, str]
_Formats: TypeAlias = Mapping[_Place, frozenset[str]]

#: ``way`` says how the rows of a simulation are compared, ``compared`` in which formats.
_TABLES = """
create table way (kind text, simulation text, by text, primary key (kind, simulation));
create table compared (
  kind text, simulation text, format text, primary key (kind, simulation, format));
"""
#: Each row once, whatever formats hold it.
_ROWS = """
create table {age}_row (
  kind text, simulation text, id text, nth int, split text, task text, score real,
  primary key (kind, simulation, id, nth)
) without rowid;
insert into {age}_row
  select kind, simulation, id, nth, min(split), max(task), max(score)
  from {age} join compared using (kind, simulation, format) group by 1, 2, 3, 4;
"""


class Way(NamedTuple):
    """How the rows of one kind and simulation are compared, and in which formats."""

    by: By
    formats: frozenset[str]


def way(old: frozenset[str], new: frozenset[str]) -> Way:
    """The way for rows in these formats. A side without any has no such rows."""
    was, now = old - BARE, new - BARE
    if was and now:
        return Way("rows" if was & now else "scores", was | now)
    if not (old and new):
        return Way("rows", was | now) if was or now else Way("lines", old | new)
    return Way("lines", old & new) if old & new else Way("nothing", frozenset())


def compare(index: Index) -> list[JsonObject]:
    """Make ``old_row`` and ``new_row``, the rows that can be compared.

    Says where the formats of a simulation are others than before.
    """
    old, new = _formats(index, "old"), _formats(index, "new")
    ways = {
        place: way(old.get(place, frozenset()), new.get(place, frozenset()))
        for place in sorted(old.keys() | new.keys())
    }
    index.script(_TABLES)
    index.fill("way", ((*place, found.by) for place, found in ways.items()))
    index.fill("compared", ((*place, format) for place, found in ways.items()
                            for format in found.formats))  # fmt: skip
    for age in ("old", "new"):
        index.script(_ROWS.format(age=age))
    both = sorted(old.keys() & new.keys(), key=lambda place: (place[0] != "sft", place))
    return _changes(both, old, new, ways)


def _formats(index: Index, age: Age) -> _Formats:
    found: dict[_Place, frozenset[str]] = {}
    for file, _ in index.lines[age]:
        place = (file.kind, file.simulation)
        found[place] = found.get(place, frozenset()) | {file.format}
    return found


def _changes(
    both: Iterable[_Place], old: _Formats, new: _Formats, ways: Mapping[_Place, Way]
) -> list[JsonObject]:
    """Every change of formats, with the simulations that have it; ``of``: of how many."""
    found: dict[str, JsonObject] = {}
    kinds = [kind for kind, _ in both]
    for kind, simulation in both:
        was, now = old[kind, simulation], new[kind, simulation]
        if was != now:
            change = {"kind": kind, "from": sorted(was), "to": sorted(now),
                      "compared": ways[kind, simulation].by}  # fmt: skip
            more = {"simulations": [], "of": kinds.count(kind)}
            found.setdefault(repr(change), {**change, **more})["simulations"].append(simulation)
    return list(found.values())
