"""Rows of one or two versions by their ids, in a file without a name: memory stays flat."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from whileai_export.shared.schema import JsonObject
from whileai_export.versions.manifest import Manifest
from whileai_export.versions.rows import Row, read_rows

Age: TypeAlias = Literal["old", "new"]

_TABLE = """
create table {age} (
  kind text, format text, simulation text, id text, split text, task text, score real, lines int,
  digest blob, grp text, fields text, primary key (kind, format, id)
) without rowid
"""
# Lines that share an id are one row: an unrolled turn, or a completion of a conversation.
_ADD = """
insert into {age} values (?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?)
on conflict do update set
  lines = lines + 1, digest = digest || excluded.digest,
  fields = fields || char(10) || excluded.fields
"""


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
        self._db.execute("begin")
        self._db.executemany(
            _ADD.format(age=age),
            ((*file, row.id, split, *row[1:]) for split, row in rows),
        )
        self._db.execute("commit")

    def add_version(self, age: Age, folder: Path, manifest: Manifest) -> None:
        """Take every file of a version. Refused where one is not as the manifest says."""
        for file in manifest["files"]:
            label = f"{folder.name}/{file['path']}"
            rows = read_rows(folder / file["path"], label, file["sha256"])
            self.add(age, named(file), file["split"], rows)

    def ask(self, question: str, kind: str | None = None) -> Iterator[tuple[Any, ...]]:
        """The answers to a question in SQL; ``:kind`` stands for the kind of rows it is about."""
        return self._db.execute(question, {"kind": kind})

    def one(self, question: str, kind: str | None = None) -> Any:
        """The one value that answers a question."""
        return next(self.ask(question, kind))[0]


def counts(index: Index, age: Age = "new") -> JsonObject:
    """How many rows and tasks there are, and how many lines in every format and split."""
    told: JsonObject = {}
    for kind, rows, tasks in index.ask(
        f"select kind, count(distinct id), count(distinct task) from {age} group by kind"
    ):
        told[kind] = {"rows": rows, "tasks": tasks, "lines": {}}
    for kind, format, split, lines in index.ask(
        f"select kind, format, split, sum(lines) from {age} group by 1, 2, 3 order by 1, 2, 3"
    ):
        told[kind]["lines"].setdefault(format, {})[split] = lines
    told["tasks"] = index.one(f"select count(distinct task) from {age}")
    return told


def shared_tasks(index: Index, age: Age = "new", limit: int = 20) -> list[str]:
    """Tasks with rows in two splits; there should be none."""
    found = index.ask(
        f"select task from {age} where task is not null group by task"
        f" having count(distinct split) > 1 order by task limit {limit:d}"
    )
    return [task for (task,) in found]
