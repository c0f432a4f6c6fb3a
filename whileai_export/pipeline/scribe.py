"""Rows to staged lines: what many lines share is encoded once."""

from __future__ import annotations

from collections.abc import Mapping
from operator import add
from typing import NamedTuple

import orjson

from whileai_export.core.wire import ASK_COLUMN, BARE, Line
from whileai_export.io.encode import dumps, escape_separators
from whileai_export.pipeline import columns as naming
from whileai_export.pipeline.job import Job
from whileai_export.pipeline.part import GAP, SYSTEM, TOOLS, Part, Signature
from whileai_export.shared.schema import JsonObject, Message, WireFormat

_CONVERSATIONS = frozenset({"messages", "prompt", "chosen", "rejected"})
_CONSTANTS = 256


class Encoded(NamedTuple):
    """Some columns of a row: their names, their types, their JSON text."""

    names: tuple[str, ...]
    types: tuple[type, ...]
    texts: list[bytes]


class _Form(NamedTuple):
    """What all lines with the same columns share."""

    prefixes: list[bytes]
    names: tuple[str, ...]
    numbers: dict[tuple[type, ...], int]
    """Signature numbers by the types of the carried columns."""


_SYSTEM = orjson.Fragment(SYSTEM)
_NOTHING = Encoded((), (), [])


class Scribe:
    """Writes lines into a part, and remembers what is constant."""

    def __init__(self, job: Job, part: Part) -> None:
        self.part = part
        self.formats = job.options.formats
        self.around = job.around
        self.systems: dict[str, orjson.Fragment] = {}
        if job.around.given_prompt is not None:
            self.systems[job.around.given_prompt] = _SYSTEM
        self.tools: tuple[list[JsonObject] | None, bytes] = (None, b"")
        self.forms: dict[tuple[str, tuple[str, ...], tuple[str, ...]], _Form] = {}

    def stage(
        self, lines: Mapping[WireFormat, list[Line]], columns: JsonObject, owner: int
    ) -> None:
        """A row's lines in the job's formats; those that have none for it are counted."""
        encoded = self.encoded(columns)
        for name in self.formats:
            made = lines.get(name)
            if not made:
                self.part.tally.unsaid[name] += 1
                continue
            for line in made:
                self.line(name, line, encoded, owner)

    def line(self, format: WireFormat, line: Line, columns: Encoded, owner: int) -> None:
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
        return _Form([dumps(name) + b":" for name in written], written, {})

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
        if message["role"] != "system" or len(message) > 2:
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
