"""Which columns a row brings on stage, and which it may not."""

from __future__ import annotations

from typing import Any

from whileai_export.core.carry import scrubbed
from whileai_export.core.leak import quotes, repeats
from whileai_export.core.needles import Needle
from whileai_export.core.unroll import unrolled_from
from whileai_export.io.encode import dumps
from whileai_export.pipeline import columns as naming
from whileai_export.pipeline.job import Job
from whileai_export.shared.schema import SCHEMA_VERSION, JsonObject, Trajectory
from whileai_export.shared.tally import Tally

#: Columns in the grader's own words, and the name of the task, which may be the whole ask; left
#: out where they quote the privileged block.
GRADER_TEXT = frozenset({"reason", "chosen_reason", "rejected_reason", "task"})

#: Columns that hold the ask, which the row may word otherwise than the conversation.
_ASKS = ("prompt", "ask")
#: Where a sample comes from; it comes along whatever columns are asked for.
_ORIGIN = frozenset({"lineage"})
_NOTHING_PRIVATE: frozenset[str] = frozenset()


class Stagehand:
    """Knows which columns the job asks for."""

    def __init__(self, job: Job) -> None:
        self.private = job.private
        wanted = job.options.columns
        self.wanted = None if wanted is None else frozenset(wanted)
        self.kept = None if wanted is None else naming.ALWAYS.union(wanted)

    def columns(
        self, trajectory: Trajectory, private: tuple[Needle, ...], tally: Tally
    ) -> JsonObject:
        """The columns a row carries; whoever writes them knows their order."""
        columns = naming.chosen(trajectory.columns, self.kept)
        if self.wanted is not None:
            columns = self._asked_for(columns, trajectory)
        if self.private:
            columns = {**columns, **_private_columns(trajectory)}
        elif private:
            columns = self.without_quotes(columns, private, tally)
            columns = _without_foreign_asks(columns, trajectory, private, tally)
        if self.wanted is None:
            columns = {**columns, "schema_version": SCHEMA_VERSION}
        return columns

    def _asked_for(self, columns: JsonObject, trajectory: Trajectory) -> JsonObject:
        """The columns with the task, if it is asked for, and with where a sample comes from."""
        if "task" in self.wanted and trajectory.task is not None:  # type: ignore[operator]
            columns = {**columns, "task": trajectory.task}
        lineage = trajectory.columns.get("lineage")
        if "unroll" in columns and "lineage" not in columns and isinstance(lineage, dict):
            columns = {**columns, "lineage": {"unrolled_from": lineage.get("unrolled_from")}}
        return columns

    @staticmethod
    def origin(trajectory: Trajectory, private: tuple[Needle, ...], tally: Tally) -> JsonObject:
        """Which row samples are of, without ids that quote the row's privileged block."""
        origin = unrolled_from(trajectory.columns)
        quoting = [name for name, id_ in origin.items() if id_ and quotes(str(id_), private)]
        tally.columns_left_out.update(quoting)
        return {name: None if name in quoting else id_ for name, id_ in origin.items()}

    def without_quotes(
        self, columns: JsonObject, private: tuple[Needle, ...], tally: Tally
    ) -> JsonObject:
        """The columns without those that quote the row's privileged block, counted."""
        looked_at = GRADER_TEXT if self.wanted is None else (self.wanted - {"prompt"}) | _ORIGIN
        quoting = [
            name
            for name in columns
            if name in looked_at and quotes(_text(columns[name]), private)
        ]  # fmt: skip
        if not quoting:
            return columns
        tally.columns_left_out.update(quoting)
        return {name: value for name, value in columns.items() if name not in quoting}


def _without_foreign_asks(
    columns: JsonObject, trajectory: Trajectory, private: tuple[Needle, ...], tally: Tally
) -> JsonObject:
    """The columns without an ask that no user said and that quotes the privileged block.

    What the user said first is the ask then, as it would be without the column.
    """
    foreign = [
        name
        for name in _ASKS
        if name in columns and repeats(_text(columns[name]), trajectory.messages, private)
    ]
    if not foreign:
        return columns
    tally.columns_left_out.update(foreign)
    said = next((m["content"] for m in trajectory.messages if m["role"] == "user"), "")
    kept = {"prompt": said} if "prompt" in foreign and said else {}
    return {n: kept.get(n, v) for n, v in columns.items() if n in kept or n not in foreign}


def with_cut(columns: JsonObject, results: int, characters: int) -> JsonObject:
    """The columns with how much of the tool output was cut, where any was."""
    if not results:
        return columns
    cut = {"tool_output_truncated": results, "tool_output_chars_cut": characters}
    return {**columns, **cut}


def _text(value: object) -> str:
    return value if isinstance(value, str) else dumps(value).decode()


def _private_columns(trajectory: Trajectory) -> JsonObject:
    kept: dict[str, Any] = {
        # The ask, even an empty one, tells later readers that this row is a training row.
        "prompt": trajectory.columns.get("prompt", ""),
        "source_line": trajectory.source_line,
        "finish_reason": trajectory.finish,
        "final_text": trajectory.final_text,
        "privileged": scrubbed(trajectory.privileged, _NOTHING_PRIVATE)[0],
        "task": trajectory.task,
    }
    return {name: value for name, value in kept.items() if value is not None}
