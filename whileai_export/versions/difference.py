"""What became of the rows between two versions."""

from __future__ import annotations

import json
from collections import Counter
from itertools import islice
from typing import Any

from whileai_export.shared.schema import JsonObject
from whileai_export.versions.index import Age, Index
from whileai_export.versions.inputs import code_changes, input_changes, option_changes
from whileai_export.versions.manifest import Manifest, read_manifest
from whileai_export.versions.parts import KINDS
from whileai_export.versions.shelf import Shelf

#: Formats by how much their rows say; the first that both versions have is looked at for scores.
_ORDER = ("openai", "trl", "trl-completion", "kto", "fireworks")
#: Rows that a manifest names; counts are exact whatever the number.
NAMED = 1000


def diff(shelf: Shelf, older: str, newer: str, limit: int | None = None) -> JsonObject:
    """The difference between two versions, every row of it where no limit is given."""
    with Index() as index:
        old = _indexed(shelf, older, "old", index)
        new = _indexed(shelf, newer, "new", index)
        return difference(index, old, new, limit)


def _indexed(shelf: Shelf, word: str, age: Age, index: Index) -> Manifest:
    folder = shelf.folder(shelf.find(word))
    manifest = read_manifest(folder)
    index.add_version(age, folder, manifest)
    return manifest


def difference(index: Index, old: Manifest, new: Manifest, limit: int | None) -> JsonObject:
    """The difference between the versions that an index holds as ``old`` and ``new``."""
    return {
        "from": old["version"],
        "to": new["version"],
        "rows": {kind: _rows(index, kind, limit) for kind in KINDS},
        "tasks": {
            "added": _listed(index, _ONLY.format(what="task", here="new", there="old"), limit),
            "removed": _listed(index, _ONLY.format(what="task", here="old", there="new"), limit),
        },
        "scores": {kind: _scores(index, kind) for kind in KINDS},
        "inputs": input_changes(old, new),
        "options": option_changes(old, new),
        "code": code_changes(old, new),
    }


_ONLY = """
select distinct {what} from {here} where {what} is not null
except select {what} from {there} order by 1
"""
_IDS = """
select distinct id from {here} where kind = :kind and format in ({formats})
except select id from {there} where kind = :kind and format in ({formats}) order by 1
"""
_PLACES = """
select distinct simulation, task, id from {here} where kind = :kind and format in ({formats})
and id not in (select id from {there} where kind = :kind and format in ({formats})) order by 1, 2, 3
"""
_FORMATS = "select distinct format from {age} where kind = :kind"
_BOTH = """
from old join new using (kind, format, id) where kind = :kind and format in ({formats})
"""


def _rows(index: Index, kind: str, limit: int | None) -> JsonObject:
    formats = _compared(index, kind)
    both = _BOTH.format(formats=formats)
    changed = _changed(index, kind, both, limit)
    return {
        "added": _ids(index, kind, "new", "old", formats, limit),
        "removed": _ids(index, kind, "old", "new", formats, limit),
        "changed": changed,
        "regrouped": index.one(
            f"select count(distinct id) {both} and old.digest = new.digest and old.grp != new.grp",
            kind,
        ),
        "moved": index.one(f"select count(distinct id) {both} and old.split != new.split", kind),
    }


def _compared(index: Index, kind: str) -> str:
    """The formats whose rows are compared, as SQL: those of both versions, else all."""
    ages = [
        {format for (format,) in index.ask(_FORMATS.format(age=age), kind)}
        for age in ("old", "new")
    ]
    found = ages[0] & ages[1] or ages[0] | ages[1]
    if len(found) > 1:
        found.discard("fireworks")  # its rows have no id
    return ", ".join(f"'{format}'" for format in _ORDER if format in found)


def _ids(
    index: Index, kind: str, here: str, there: str, formats: str, limit: int | None
) -> JsonObject:
    """The ids, in their order, and the same rows by simulation and task."""
    question = _IDS.format(here=here, there=there, formats=formats)
    places = _PLACES.format(here=here, there=there, formats=formats)
    rows = [_placed(*found) for found in islice(index.ask(places, kind), limit)]
    return {**_listed(index, question, limit, kind, name="row_ids"), "rows": rows}


def _placed(simulation: str, task: str | None, id_: str) -> JsonObject:
    return {"row_id": id_, "simulation": simulation, "task": task}


def _listed(
    index: Index, question: str, limit: int | None, kind: str | None = None, name: str = "named"
) -> JsonObject:
    count, named = 0, []
    for (value,) in index.ask(question, kind):
        count += 1
        if limit is None or count <= limit:
            named.append(value)
    return {"count": count, name: named}


def _changed(index: Index, kind: str, both: str, limit: int | None) -> JsonObject:
    count, fields = 0, Counter[str]()
    named: list[JsonObject] = []
    last, here = None, set[str]()
    question = (
        "select new.simulation, new.task, id, old.digest, new.digest, old.fields, new.fields"
        f" {both} and old.digest != new.digest order by 1, 2, 3"
    )
    for simulation, task, id_, *digests_and_fields in index.ask(question, kind):
        names = _changed_fields(*digests_and_fields)
        if not names:
            continue
        if id_ != last:
            last, here, count = id_, set(), count + 1
            if limit is None or count <= limit:
                named.append({**_placed(simulation, task, id_), "fields": []})
        fields.update(names - here)
        here |= names
        if named and named[-1]["row_id"] == id_:
            named[-1]["fields"] = sorted(here)
    return {"count": count, "rows": named, "fields": dict(sorted(fields.items()))}


def _changed_fields(old: str, new: str, was: str, now: str) -> set[str]:
    if sorted(old.split("\n")) == sorted(new.split("\n")):
        return set()  # the same lines in another order
    before, after = was.split("\n"), now.split("\n")
    names = {"(lines)"} if len(before) != len(after) else set()
    for one, other in zip(map(json.loads, before), map(json.loads, after), strict=False):
        names |= {name for name in one | other if one.get(name) != other.get(name)}
    return names


def _scores(index: Index, kind: str) -> JsonObject:
    """How the mean reward (of pairs: the margin) moved, and on how many rows it changed."""
    formats = _compared(index, kind)
    first = formats.split(", ")[0] or "''"
    mean = f"select avg(score) from {{}} where kind = :kind and format = {first}"
    both = _BOTH.format(formats=first)
    told: dict[str, Any] = {
        "of": "reward" if kind == "sft" else "margin",
        "mean": {
            "from": _rounded(index.one(mean.format("old"), kind)),
            "to": _rounded(index.one(mean.format("new"), kind)),
        },
        "changed": index.one(f"select count(*) {both} and old.score is not new.score", kind),
    }
    return told


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
