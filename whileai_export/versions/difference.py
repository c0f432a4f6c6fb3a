"""What became of the rows between two versions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from itertools import islice

from whileai_export.shared.schema import JsonObject
from whileai_export.versions.compared import compare
from whileai_export.versions.index import Age, Index
from whileai_export.versions.inputs import code_changes, input_changes, option_changes
from whileai_export.versions.manifest import Manifest, read_manifest
from whileai_export.versions.parts import KINDS
from whileai_export.versions.shelf import Shelf

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
    formats = compare(index)
    rows = {kind: _rows(index, kind, limit) for kind in KINDS}
    return {
        "from": old["version"],
        "to": new["version"],
        "rows": rows,
        "tasks": {
            "added": _listed(index, _TASKS.format(here="new", there="old"), limit),
            "removed": _listed(index, _TASKS.format(here="old", there="new"), limit),
        },
        "scores": {kind: _scores(index, kind, rows[kind]["changed"]["fields"]) for kind in KINDS},
        "formats": formats,
        "inputs": input_changes(old, new),
        "options": option_changes(old, new),
        "code": code_changes(old, new),
    }


_SCORE: Mapping[str, str] = {"sft": "reward", "preference": "margin"}
# A task that rows have which cannot be compared may still be there, though nothing says it.
_TASKS = """
select task from {here} join way using (kind, simulation)
where task is not null and by in ('rows', 'scores')
except select task from {there}
except select task from {here} join way using (kind, simulation) where by in ('lines', 'nothing')
order by 1
"""
_ONLY = """
from {here}_row as here where kind = :kind and not exists (
  select 1 from {there}_row as there where there.kind = here.kind
  and there.simulation = here.simulation and there.id = here.id and there.nth = here.nth)
"""
_BOTH = """
from old join new using (kind, simulation, id, nth, format)
join compared using (kind, simulation, format)
join new_row as told using (kind, simulation, id, nth) where kind = :kind
"""
_BOTH_ROWS = """
from old_row as was join new_row as told using (kind, simulation, id, nth)
join way using (kind, simulation) where kind = :kind
"""
_CHANGED = f"""
select simulation, told.task, id, old.digest, new.digest, old.fields, new.fields
{_BOTH} and old.digest != new.digest
union all
select simulation, told.task, id, 'was', 'is',
  '{{"' || :score || '":' || coalesce(was.score, 'null') || '}}',
  '{{"' || :score || '":' || coalesce(told.score, 'null') || '}}'
{_BOTH_ROWS} and by = 'scores' and was.score is not told.score
order by 1, 2, 3
"""
_REGROUPED = f"""
select count(*) from (
  select distinct simulation, id, nth {_BOTH} and old.digest = new.digest and old.grp != new.grp)
"""


def _rows(index: Index, kind: str, limit: int | None) -> JsonObject:
    moved = f"select count(*) {_BOTH_ROWS} and was.split != told.split"
    return {
        "added": _ids(index, kind, _ONLY.format(here="new", there="old"), limit),
        "removed": _ids(index, kind, _ONLY.format(here="old", there="new"), limit),
        "changed": _changed(index, kind, limit),
        "regrouped": index.one(_REGROUPED, kind),
        "moved": index.one(moved, kind),
    }


def _ids(index: Index, kind: str, only: str, limit: int | None) -> JsonObject:
    """The ids, in their order, and the same rows by simulation and task."""
    places = f"select simulation, task, id {only} order by 1, 2, 3"
    rows = [_placed(*found) for found in islice(index.ask(places, kind), limit)]
    ids = _listed(index, f"select id {only} order by 1", limit, kind, name="row_ids")
    return {**ids, "rows": rows}


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


def _changed(index: Index, kind: str, limit: int | None) -> JsonObject:
    count, fields = 0, Counter[str]()
    named: list[JsonObject] = []
    last, here = None, set[str]()
    question = _CHANGED.replace(":score", f"'{_SCORE[kind]}'")
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


def _scores(index: Index, kind: str, changed: Mapping[str, int]) -> JsonObject:
    """How the mean reward (of pairs: the margin) moved, and on how many rows it changed.

    Over every row that can be compared or is in one version alone, each once.
    """
    mean = "select avg(score) from {}_row where kind = :kind"
    return {
        "of": _SCORE[kind],
        "mean": {
            "from": _rounded(index.one(mean.format("old"), kind)),
            "to": _rounded(index.one(mean.format("new"), kind)),
        },
        "changed": changed.get(_SCORE[kind], 0),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
