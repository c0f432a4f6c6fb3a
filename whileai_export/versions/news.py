"""A difference in words: the lines of a changelog."""

from __future__ import annotations

from collections.abc import Iterator

from whileai_export.shared.schema import JsonObject
from whileai_export.versions.parts import KINDS

#: Rows and tasks that a changelog names of each sort; ``diff`` names all.
NAMED = 20
_WHAT = ("added", "removed", "changed")


def summary(found: JsonObject) -> Iterator[str]:
    """What is other than before, in a few lines."""
    if not any(found["rows"][kind][what]["count"] for kind in KINDS for what in _WHAT):
        yield "no row was added, removed or changed"
    for kind in KINDS:
        yield from _rows(kind, found["rows"][kind])
        yield from _score(kind, found["scores"][kind])
    for how, tasks in found["tasks"].items():
        yield from _list(f"tasks {how}", tasks["named"], tasks["count"])
    for how, names in found["inputs"].items():
        yield from _list(f"simulations {how}", names, len(names))
    for change in found["options"]:
        yield f"{change['step']} {change['option']}: {change['from']} to {change['to']}"
    if found["code"]:
        yield f"code: {', '.join(found['code']['from'])} to {', '.join(found['code']['to'])}"


def named_rows(found: JsonObject, limit: int) -> Iterator[str]:
    """The ids of the rows that are other than before; of changed ones with their fields."""
    for kind in KINDS:
        rows = found["rows"][kind]
        for what in ("added", "removed"):
            yield from _list(f"{kind} {what}", rows[what]["row_ids"], rows[what]["count"], limit)
        changed = [f"{r['row_id']} ({', '.join(r['fields'])})" for r in rows["changed"]["rows"]]
        yield from _list(f"{kind} changed", changed, rows["changed"]["count"], limit)


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


def _list(what: str, names: list[str], count: int, limit: int = NAMED) -> Iterator[str]:
    if count:
        more = count - min(limit, len(names))
        rest = f", and {more} more" if more > 0 else ""
        yield f"{what}: {count} ({', '.join(names[:limit])}{rest})"
