"""A difference in words: the lines of a changelog."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from whileai_export.shared.counted import counted
from whileai_export.shared.schema import JsonObject
from whileai_export.versions.parts import KINDS

#: Rows and tasks that are named of each sort where nobody asks for all of them.
FEW = 5
#: A task may be called by all that was asked in it.
WIDTH = 48
_WHAT = ("added", "removed", "changed")
#: Where formats are others than before, what can still be said of the rows.
_LESS = {"nothing": "cannot be compared", "scores": "are compared by id and {} alone"}


class Sort(NamedTuple):
    """Rows that are other than before in one way: how many, and the first of them by their place.

    A row is its simulation, its task, its id, and of a changed one the fields.
    """

    title: str
    rows: list[tuple[str, ...]]
    more: int


def summary(found: JsonObject, limit: int | None = FEW) -> Iterator[str]:
    """What is other than before, in a few lines."""
    if not any(found["rows"][kind][what]["count"] for kind in KINDS for what in _WHAT):
        apart = any(change["compared"] == "nothing" for change in found["formats"])
        yield f"no row {'that can be compared ' * apart}was added, removed or changed"
    for kind in KINDS:
        yield from _rows(kind, found["rows"][kind])
        yield from _score(kind, found["scores"][kind])
    yield from _formats(found, limit)
    for how, tasks in found["tasks"].items():
        yield from _list(f"tasks {how}", map(short, tasks["named"]), tasks["count"], limit)
    for how, names in found["inputs"].items():
        yield from _list(f"simulations {how}", names, len(names), limit)
    for change in found["options"]:
        told = f"{change['step']} {change['option']}: {change['from']} to {change['to']}"
        yield f"{told}{_where(change, limit)}"
    if found["code"]:
        yield f"code: {', '.join(found['code']['from'])} to {', '.join(found['code']['to'])}"


def named_rows(found: JsonObject, limit: int | None = FEW) -> Iterator[Sort]:
    """The rows that are other than before, by simulation and task."""
    for kind in KINDS:
        for what in _WHAT:
            count, rows = found["rows"][kind][what]["count"], found["rows"][kind][what]["rows"]
            if count:
                named = [_cells(row) for row in rows[:limit]]
                yield Sort(f"{kind} {what}: {count}", named, count - len(named))


def short(task: str | None) -> str:
    """A task on one line, and not the whole of a long one."""
    text = " ".join((task or "-").split())
    return text if len(text) <= WIDTH else f"{text[:WIDTH]}…"


def _cells(row: JsonObject) -> tuple[str, ...]:
    fields = ", ".join(row.get("fields", ()))
    return (row["simulation"], short(row["task"]), row["row_id"], *([fields] if fields else []))


def _rows(kind: str, rows: JsonObject) -> Iterator[str]:
    said = [f"{rows[what]['count']} {what}" for what in _WHAT if rows[what]["count"]]
    said += [f"{rows[what]} {what}" for what in ("regrouped", "moved") if rows[what]]
    fields = ", ".join(f"{name} {n}" for name, n in rows["changed"]["fields"].items())
    if said:
        yield f"{kind} rows: {', '.join(said)}" + (f" ({fields})" if fields else "")


def _score(kind: str, scores: JsonObject) -> Iterator[str]:
    was, now = scores["mean"]["from"], scores["mean"]["to"]
    if was != now:
        yield f"{kind} mean {scores['of']}: {was} to {now}"


def _formats(found: JsonObject, limit: int | None) -> Iterator[str]:
    """Rows that are compared less than whole, since their formats are others."""
    for change in found["formats"]:
        if change["compared"] in _LESS:
            less = _LESS[change["compared"]].format(found["scores"][change["kind"]]["of"])
            told = f"{', '.join(change['from'])} to {', '.join(change['to'])}"
            yield f"{change['kind']} rows {less}{_where(change, limit)}: {told}"


def _where(change: JsonObject, limit: int | None) -> str:
    """In which simulations an option is another; nothing where it is the version's own."""
    names = change.get("simulations", ())
    if not names:
        return ""
    if len(names) == change["of"] > 1:
        return f" in all {change['of']} simulations"
    said = list(islice(names, limit))
    rest = f", and {len(names) - len(said)} more" if len(names) > len(said) else ""
    return f" in {len(names)} of {counted(change['of'], 'simulation')} ({', '.join(said)}{rest})"


def _list(what: str, names: Iterable[str], count: int, limit: int | None) -> Iterator[str]:
    if count:
        said = list(islice(names, limit))
        rest = f", and {count - len(said)} more" if count > len(said) else ""
        yield f"{what}: {count} ({', '.join(said)}{rest})"
