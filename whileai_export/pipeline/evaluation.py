"""Evaluation files: which tasks and asks no training row may have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from whileai_export.core.holdout import keys_of
from whileai_export.io.lines import lines
from whileai_export.io.source import opened
from whileai_export.pipeline.door import read_row, settled
from whileai_export.pipeline.job import READING
from whileai_export.shared.errors import BadRow, SourceError
from whileai_export.shared.schema import JsonObject, Trajectory

#: ``task`` is a name in one file and a text in another, so it counts as both.
_TASKS = ("scenario_id", "task_id", "task")
_ASKS = ("prompt", "question", "input", "task", "ask", "instruction", "prompt_text")


def load_holdout(paths: Iterable[str | Path]) -> frozenset[bytes]:
    """What rows of the evaluation files are recognised by.

    Their rows are rows of any source, or plain objects that name a task or an ask. A row that
    names neither is refused: a gate that misses a task in silence is none.
    """
    return frozenset(key for path in paths for key in _keys_in(path))


def _keys_in(path: str | Path) -> Iterator[bytes]:
    with opened(path) as found:
        if found.path is None:
            raise SourceError(f"{found.label}: expected a file of evaluation rows")
        number = 0
        for number, line in lines(found.path):
            keys = _keys(line)
            if not keys:
                raise SourceError(
                    f"{found.label}: expected a row of any shape, or an object with a task"
                    " (scenario_id, task_id, task) or an ask (prompt, question), got neither",
                    line=number,
                )
            yield from keys
        if not number:
            raise SourceError(f"{found.label}: expected evaluation rows, got none")


def _keys(line: bytes) -> set[bytes]:
    """By every name that a plain object may use, and by the row itself where it is one."""
    try:
        row = settled(line, READING)[0]
    except BadRow:
        return set()
    named = [_named(task=task) for task in _texts(row, _TASKS)]
    named += [_named(ask=ask) for ask in _texts(row, _ASKS)]
    with suppress(BadRow):
        named.append(read_row(line, READING))
    if not named:
        named = [_named(task=task) for task in _texts(row, ("id",))]
    return {key for trajectory in named for _, key in keys_of(trajectory)}


def _texts(row: JsonObject, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        value = row.get(name)
        if isinstance(value, str | int) and not isinstance(value, bool) and value != "":
            yield str(value)


def _named(task: str | None = None, ask: str | None = None) -> Trajectory:
    columns = {} if ask is None else {"prompt": ask}
    return Trajectory(messages=[], tools=None, columns=columns, task=task, shape="messages")
