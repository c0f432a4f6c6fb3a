"""The private canonical rows that published rows were made of, found again by their ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from whileai_export.core.identity import pair_id, task_key, turn_id
from whileai_export.core.identity import row_id as made_id
from whileai_export.io.hashing import file_sha256
from whileai_export.io.lines import lines
from whileai_export.shared.schema import JsonObject
from whileai_export.versions.rows import decoded, task_of


class StagedRows(NamedTuple):
    """The staged rows of one simulation, and the steps that a version says it went through."""

    folder: Path
    simulation: str
    steps: JsonObject

    @property
    def path(self) -> Path:
        """The file."""
        return self.folder / f"{self.simulation}.jsonl"


class _Source(NamedTuple):
    id: str
    task: str | None
    rollout: Any
    line: int | None
    turns: int

    def plain(self, **more: Any) -> JsonObject:
        told = {"row_id": self.id, "task": self.task, "rollout": self.rollout, "line": self.line}
        return {**told, **more}


def found_in(staged: StagedRows, row_id: str, task: str | None) -> JsonObject:
    """The rows of the simulation behind a published row: one, or for a pair both sides.

    ``known`` is false where the staged rows are no longer those that the version was made of.
    """
    recorded = staged.steps.get("training_rows", {}).get("sha256")
    if not staged.path.is_file():
        return _unknown("the staged rows are gone")
    if recorded is not None and file_sha256(staged.path) != recorded:
        return _unknown("the simulation was staged again since, from other bytes or otherwise")
    same_task: list[_Source] = []
    for source in _sources(staged.path):
        if source.id == row_id:
            return _known([source.plain()])
        turn = _turn(source, row_id)
        if turn:
            return _known([source.plain(turn=turn)])
        if task is not None and source.task == task:
            same_task.append(source)
    sides = _sides(same_task, row_id)
    if sides:
        return _known(sides)
    return _unknown("no staged row has this id")


def called_alone(staged: StagedRows, row_id: str) -> str | None:
    """What a row is called here that a file, exported without its simulation's name, calls so."""
    places: Counter[str | None] = Counter()
    for source in _sources(staged.path) if staged.path.is_file() else ():
        rollout = places[source.task] if source.rollout is None else source.rollout
        places[source.task] += 1
        if source.task is not None and made_id("", task_key(source.task), rollout) == row_id:
            return source.id
    return None


def _sources(path: Path) -> Iterator[_Source]:
    for _, line in lines(path):
        row = decoded(line)
        if isinstance(row.get("row_id"), str):
            turns = sum(message.get("role") == "assistant" for message in row["messages"])
            number, rollout = row.get("source_line"), row.get("rollout_index")
            yield _Source(row["row_id"], task_of(row), rollout, number, turns)


def _turn(source: _Source, row_id: str) -> int:
    """Which assistant turn of the source an unrolled row ends on; 0 where it is of another."""
    turns: Iterable[int] = range(1, source.turns + 1)
    return next((turn for turn in turns if turn_id(source.id, turn) == row_id), 0)


def _sides(sources: list[_Source], row_id: str) -> list[JsonObject]:
    for chosen in sources:
        for rejected in sources:
            if pair_id(chosen.id, rejected.id) == row_id:
                return [chosen.plain(side="chosen"), rejected.plain(side="rejected")]
    return []


def _known(rows: list[JsonObject]) -> JsonObject:
    return {"known": True, "rows": rows}


def _unknown(why: str) -> JsonObject:
    return {"known": False, "why": why, "rows": []}
