"""Rows of one or two versions by their ids, in a file without a name: memory stays flat."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from whileai_export.core.wire import BARE
from whileai_export.shared.schema import JsonObject
from whileai_export.versions.manifest import Manifest
from whileai_export.versions.rows import Row, read_rows

Age: TypeAlias = Literal["old", "new"]

_TABLE = """
create table {age} (
  kind text, format text, simulation text, id text, nth int, split text, task text, score real,
  digest text, grp text, fields text, primary key (kind, simulation, id, nth, format)
) without rowid
"""
# Lines that share an id are one row, as the completions of a conversation are. Digests are kept
# as hex, because what || joins is text, also where both sides are blobs.
_ADD = """
insert into {age} values (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?)
on conflict do update set
  digest = digest || char(10) || excluded.digest,
  fields = fields || char(10) || excluded.fields
"""
# Without ids, a line is a row: of equal ones each is the first, the second, the third.
_ADD_BARE = """
with line as (select ? as kind, ? as format, ? as simulation, ? as id,
  ? as split, ? as task, ? as score, ? as digest, ? as grp, ? as fields)
insert into {age} select kind, format, simulation, id, coalesce((
  select nth + 1 from {age} as before where before.kind = line.kind
  and before.simulation = line.simulation and before.id = line.id and before.format = line.format
  order by nth desc limit 1), 0), split, task, score, digest, grp, fields from line
"""
#: Formats whose lines have no ids that other formats know, as SQL.
_BARE = ", ".join(f"'{format}'" for format in sorted(BARE))


class Named(NamedTuple):
    """What a file of a version is of."""

    kind: str
    format: str
    simulation: str


def named(file: JsonObject) -> Named:
    """The same of an entry in a manifest."""
    return Named(file["kind"], file["format"], file["simulation"])


class Index:
    """Two tables, ``old`` and ``new``: what every row of a version is, never what it says."""

    def __init__(self) -> None:
        # An empty name is a temporary file that nobody else can open and no kill leaves behind.
        self._db = sqlite3.connect("", isolation_level=None)
        self.lines: dict[Age, Counter[tuple[Named, str]]] = {"old": Counter(), "new": Counter()}
        """How many lines each file has in each split."""
        self._db.execute("pragma cache_size = -16000")
        self._db.execute("pragma journal_mode = off")
        for age in ("old", "new"):
            self._db.execute(_TABLE.format(age=age))

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def add(self, age: Age, file: Named, split: str, rows: Iterable[Row]) -> None:
        """Take the rows of one file."""
        self.add_sides(age, file, ((split, row) for row in rows))

    def add_sides(self, age: Age, file: Named, rows: Iterable[tuple[str, Row]]) -> None:
        """Take rows, each with the split it is in."""
        add = _ADD_BARE if file.format in BARE else _ADD
        self._db.execute("begin")
        self._db.executemany(add.format(age=age), self._values(age, file, rows))
        self._db.execute("commit")

    def _values(
        self, age: Age, file: Named, rows: Iterable[tuple[str, Row]]
    ) -> Iterator[tuple[Any, ...]]:
        lines = self.lines[age]
        for split, row in rows:
            lines[file, split] += 1
            id_, task, score, digest, group, fields = row
            yield *file, id_, split, task, score, digest.hex(), group, fields

    def add_version(self, age: Age, folder: Path, manifest: Manifest) -> None:
        """Take every file of a version. Refused where one is not as the manifest says."""
        for file in manifest["files"]:
            label = f"{folder.name}/{file['path']}"
            rows = read_rows(folder / file["path"], label, file["sha256"])
            self.add(age, named(file), file["split"], rows)

    def script(self, statements: str) -> None:
        """Make other tables of these."""
        self._db.executescript(statements)

    def fill(self, table: str, rows: Iterable[tuple[str, str, str]]) -> None:
        """Put rows into a table of three columns."""
        self._db.executemany(f"insert into {table} values (?, ?, ?)", rows)

    def ask(self, question: str, kind: str | None = None) -> Iterator[tuple[Any, ...]]:
        """The answers to a question in SQL; ``:kind`` stands for the kind of rows it is about."""
        return self._db.execute(question, {"kind": kind})

    def one(self, question: str, kind: str | None = None) -> Any:
        """The one value that answers a question."""
        return next(self.ask(question, kind))[0]


def counts(index: Index, age: Age = "new") -> JsonObject:
    """How many rows and tasks there are, and how many lines in every format and split.

    A row in several formats is one row. Ids tell that; of a format without ids only those rows
    count that its simulation has more of, in the same split, than rows with ids.
    """
    told: JsonObject = {}
    more = _rows_without_id(index, age)
    for kind, rows, tasks in index.ask(
        f"select kind, count(distinct case when format not in ({_BARE}) then id end),"
        f" count(distinct task) from {age} group by kind"
    ):
        told[kind] = {"rows": rows + more[kind], "tasks": tasks, "lines": {}}
    for (file, split), lines in sorted(index.lines[age].items()):
        splits = told[file.kind]["lines"].setdefault(file.format, {})
        splits[split] = splits.get(split, 0) + lines
    told["tasks"] = index.one(f"select count(distinct task) from {age}")
    return told


def _rows_without_id(index: Index, age: Age) -> Counter[str]:
    """By kind, the rows that no format with ids holds. Without ids, a line is a row."""
    more = Counter[str]()
    bare = {place: lines for place, lines in index.lines[age].items() if place[0].format in BARE}
    if not bare:
        return more
    ids = {
        tuple(place): rows
        for *place, rows in index.ask(
            f"select kind, simulation, split, count(distinct id) from {age}"
            f" where format not in ({_BARE}) group by 1, 2, 3"
        )
    }
    for (file, split), lines in bare.items():
        more[file.kind] += max(0, lines - ids.get((file.kind, file.simulation, split), 0))
    return more


def shared_tasks(index: Index, age: Age = "new", limit: int = 20) -> list[str]:
    """Tasks with rows in two splits; there should be none."""
    found = index.ask(
        f"select task from {age} where task is not null group by task"
        f" having count(distinct split) > 1 order by task limit {limit:d}"
    )
    return [task for (task,) in found]
