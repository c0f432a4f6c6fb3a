"""Canonical rows to staged lines: columns chosen and named, everything encoded once."""

from __future__ import annotations

from operator import add
from typing import NamedTuple

import orjson

from whileai_export.core.leak import quotes
from whileai_export.core.needles import Needle
from whileai_export.core.wire import ASK_COLUMN, BARE, SFT, Line, SftRow
from whileai_export.io.encode import dumps, escape_separators
from whileai_export.pipeline import columns as naming
from whileai_export.pipeline.job import Job
from whileai_export.pipeline.part import GAP, SYSTEM, TOOLS, Part, Signature
from whileai_export.shared.schema import SCHEMA_VERSION, JsonObject, Message, Trajectory, WireFormat
from whileai_export.shared.tally import Tally

#: Columns in the grader's own words; left out where they quote the privileged block.
GRADER_TEXT = frozenset({"reason", "chosen_reason", "rejected_reason"})

_CONVERSATIONS = frozenset({"messages", "prompt", "chosen", "rejected"})
_CONSTANTS = 256


class Encoded(NamedTuple):
    """Some columns of a row: their names, their types, their JSON text."""

    names: tuple[str, ...]
    types: tuple[type, ...]
    texts: list[bytes]


class _Form(NamedTuple):
    """What all lines with the same columns share."""

    names: tuple[str, ...]
    prefixes: list[bytes]
    numbers: dict[tuple[type, ...], int]
    """Signature numbers by the types of the carried columns."""


_SYSTEM = orjson.Fragment(SYSTEM)
_NOTHING = Encoded((), (), [])


class Stagehand:
    """Puts rows on stage: knows the job's columns and remembers what is constant."""

    def __init__(self, job: Job, part: Part) -> None:
        self.part = part
        self.private = job.private
        wanted = job.options.columns
        self.wanted = None if wanted is None else frozenset(wanted)
        self.formats = job.options.formats
        self.versioned = wanted is None
        self.around = job.around
        self.systems: dict[str, orjson.Fragment] = {}
        self.tools: tuple[list[JsonObject] | None, bytes] = (None, b"")
        if job.around.given_prompt is not None:
            self.systems[job.around.given_prompt] = _SYSTEM
        self.forms: dict[tuple[str, tuple[str, ...], tuple[str, ...]], _Form] = {}

    def columns(
        self, trajectory: Trajectory, private: tuple[Needle, ...], tally: Tally
    ) -> JsonObject:
        """The columns a row carries, in the order in which they are written."""
        columns = naming.chosen(trajectory.columns, self.wanted)
        if self.wanted is not None and "task" in self.wanted and trajectory.task is not None:
            columns = {**columns, "task": trajectory.task}
        if self.private:
            columns = {**columns, **_private_columns(trajectory)}
        elif private:
            columns = self.without_quotes(columns, private, tally)
        if self.versioned:
            columns = {**columns, "schema_version": SCHEMA_VERSION}
        if trajectory.shape == "training" or self.private or self.wanted is not None:
            columns = {name: columns[name] for name in sorted(columns, key=naming.rank)}
        return columns

    def with_cut(self, columns: JsonObject, results: int, characters: int) -> JsonObject:
        """The columns with how much of the tool output was cut, where any was."""
        if not results or not (self.wanted is None or "tool_output_truncated" in self.wanted):
            return columns
        columns = {
            **columns,
            "tool_output_truncated": results,
            "tool_output_chars_cut": characters,
        }
        return {name: columns[name] for name in sorted(columns, key=naming.rank)}

    def without_quotes(
        self, columns: JsonObject, private: tuple[Needle, ...], tally: Tally
    ) -> JsonObject:
        """The columns without those that quote the row's privileged block, counted."""
        looked_at = GRADER_TEXT if self.wanted is None else self.wanted - {"prompt"}
        quoting = [
            name
            for name in columns
            if name in looked_at and quotes(_text(columns[name]), private)
        ]  # fmt: skip
        if not quoting:
            return columns
        tally.columns_left_out.update(quoting)
        return {name: value for name, value in columns.items() if name not in quoting}

    def stage(self, row: SftRow, columns: JsonObject, owner: int) -> None:
        """The row's lines in every format of the job."""
        encoded = self.encoded(columns)
        for name in self.formats:
            for line in SFT[name](row):
                self.stage_line(name, line, encoded, owner)

    def stage_line(
        self, format: WireFormat, line: Line, columns: Encoded, owner: int
    ) -> None:
        """One line of one format, with the columns where the format allows any."""
        if format in BARE:
            columns = _NOTHING
        key = (format, tuple(line), columns.names)
        form = self.forms.get(key)
        if form is None:
            form = self.forms[key] = self._form(format, tuple(line), columns.names)
        data = b"{" + GAP.join(map(add, form.prefixes, [*self._own(line), *columns.texts]))
        staged = self.part.staged[format]
        number = form.numbers.get(columns.types)
        if number is None:
            types = (*map(type, line.values()), *columns.types)
            signature = Signature(form.names, tuple(map(naming.kind, types)))
            number = form.numbers[columns.types] = staged.number(signature)
        staged.add(data if data.isascii() else escape_separators(data), owner, number)

    def encoded(self, columns: JsonObject) -> Encoded:
        """The columns, ready to be put into lines of any format."""
        values = columns.values()
        try:
            texts = list(map(orjson.dumps, values))
        except TypeError:
            texts = list(map(dumps, values))
        return Encoded(tuple(columns), tuple(map(type, values)), texts)

    def _form(self, format: WireFormat, own: tuple[str, ...], names: tuple[str, ...]) -> _Form:
        ask = ASK_COLUMN.get(format, "prompt")
        written = (*own, *(naming.written_name(name, ask) for name in names))
        return _Form(written, [dumps(name) + b":" for name in written], {})

    def _own(self, line: Line) -> list[bytes]:
        texts = []
        for name, value in line.items():
            if name == "tools":
                texts.append(self._tools(value))
            else:
                if type(value) is list and name in _CONVERSATIONS and value:
                    value[0] = self._constant(value[0])
                texts.append(dumps(value))
        return texts

    def _constant(self, message: Message) -> Message | orjson.Fragment:
        """A system message, which many rows share, encoded once."""
        if message["role"] != "system":
            return message
        text = message["content"]
        found = self.systems.get(text)
        if found is None:
            if len(self.systems) >= _CONSTANTS:
                self.systems.popitem()
            found = self.systems[text] = orjson.Fragment(dumps(message))
        return found

    def _tools(self, tools: list[JsonObject]) -> bytes:
        if tools is self.around.given_tools:
            return TOOLS
        if self.tools[0] is not tools:
            self.tools = (tools, dumps(tools))
        return self.tools[1]


def _text(value: object) -> str:
    return value if isinstance(value, str) else dumps(value).decode()


def _private_columns(trajectory: Trajectory) -> JsonObject:
    kept = {
        "source_line": trajectory.source_line,
        "finish_reason": trajectory.finish,
        "final_text": trajectory.final_text,
        "privileged": trajectory.privileged,
        "task": trajectory.task,
    }
    return {name: value for name, value in kept.items() if value is not None}
