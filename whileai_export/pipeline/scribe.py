"""Rows to staged lines: what many lines share is encoded once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import orjson

from whileai_export.core.unroll import VARYING
from whileai_export.core.wire import ASK_COLUMN, BARE, Line
from whileai_export.io.encode import dumps, escape_separators
from whileai_export.pipeline import columns as naming
from whileai_export.pipeline.conversations import Conversations
from whileai_export.pipeline.job import Job
from whileai_export.pipeline.part import GAP, TOOLS, Part, Signature
from whileai_export.shared.schema import JsonObject, WireFormat

_CONVERSATIONS = frozenset({"messages", "prompt", "chosen", "rejected"})


class Encoded(NamedTuple):
    """The columns of a row: their JSON text, and the types that were written."""

    types: tuple[type, ...]
    texts: list[bytes]


class _Form(NamedTuple):
    """What all lines with the same columns share."""

    template: bytes
    """The line, with a place for the text of every column."""
    names: tuple[str, ...]
    numbers: dict[tuple[type, ...], int]
    """Signature numbers by the types of the carried columns."""


_NO_COLUMNS = Encoded((), [])


class Scribe:
    """Writes lines into a part, and remembers what is constant."""

    def __init__(self, job: Job, part: Part) -> None:
        self.part = part
        self.formats = job.options.formats
        self.around = job.around
        self.conversations = Conversations(job.around.given_prompt)
        self.tools: tuple[list[JsonObject] | None, bytes] = (None, b"")
        self.many = False
        self.sample: tuple[int, Encoded] | None = None
        """How many columns the last sample of the row at hand has, and these."""
        self.names: tuple[str, ...] = ()
        """Every column that a row of the part has brought so far, in the order of writing.
        Each line has them all, so that lines differ in their columns only until all are met."""
        self.brought: dict[tuple[type, ...], int] = {}
        """How many columns rows bring, by the types of what stands under ``names``."""
        self.forms: dict[tuple[str, ...], _Form] = {}

    def begin(self, *, many: bool) -> None:
        """The next row; ``many``: several lines of it share messages, each encoded once."""
        self.many = many
        self.conversations.forget()
        self.sample = None

    def stage(
        self, lines: Mapping[WireFormat, list[Line]], columns: JsonObject, owner: int
    ) -> None:
        """A row's lines in the job's formats; those that have none for it are counted."""
        encoded = self._of_sample(columns) if self.many else self.encoded(columns)
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
            columns = _NO_COLUMNS
        form = self.forms.get((format, *line)) or self._form(format, line)
        # Where a turn carries its weight it differs from sample to sample.
        own = self._own(line, shares=self.many and format not in BARE)
        data = form.template % (*own, *columns.texts)
        staged = self.part.staged[format]
        number = form.numbers.get(columns.types)
        if number is None:
            types = (*map(type, line.values()), *columns.types)
            signature = Signature(form.names, tuple(map(naming.kind, types)))
            number = form.numbers[columns.types] = staged.number(signature)
        staged.add(data if data.isascii() else escape_separators(data), owner, number)

    def _of_sample(self, columns: JsonObject) -> Encoded:
        """The columns of one of many samples; most are those of the sample before it."""
        if self.sample is None or self.sample[0] != len(columns):
            encoded = self.encoded(columns)
        else:
            types, texts = self.sample[1]
            encoded = Encoded(types, texts.copy())
            for name in VARYING & columns.keys():
                encoded.texts[self.names.index(name)] = dumps(columns[name])
        self.sample = len(columns), encoded
        return encoded

    def encoded(self, columns: JsonObject) -> Encoded:
        """The columns, ready to be put into lines of any format."""
        values = list(map(columns.get, self.names))
        types = tuple(map(type, values))
        if self.brought.get(types) != len(columns):
            return self._met(columns, types)
        try:
            return Encoded(types, list(map(orjson.dumps, values)))
        except TypeError:
            return Encoded(types, list(map(dumps, values)))

    def _met(self, columns: JsonObject, types: tuple[type, ...]) -> Encoded:
        """The same for columns that were not met together before."""
        if columns.keys() <= set(self.names):
            self.brought[types] = len(columns)
        else:
            self.names = tuple(naming.ordered({**dict.fromkeys(self.names), **columns}))
            self.brought.clear()
            self.forms.clear()
        return self.encoded(columns)

    def _form(self, format: WireFormat, line: Line) -> _Form:
        names = () if format in BARE else self.names
        template, written = _template(tuple(line), names, ASK_COLUMN.get(format, "prompt"))
        form = self.forms[(format, *line)] = _Form(template, written, {})
        return form

    def _own(self, line: Line, *, shares: bool) -> list[bytes]:
        texts = []
        for name, value in line.items():
            if name == "tools":
                texts.append(self._tools(value))
            elif type(value) is list and name in _CONVERSATIONS and value:
                texts.append(self.conversations.encoded(value, shares=shares))
            else:
                texts.append(dumps(value))
        return texts

    def _tools(self, tools: list[JsonObject]) -> bytes:
        if tools is self.around.given_tools:
            return TOOLS
        if self.tools[0] is not tools:
            self.tools = (tools, dumps(tools))
        return self.tools[1]


@lru_cache(maxsize=256)
def _template(
    own: tuple[str, ...], names: tuple[str, ...], ask: str
) -> tuple[bytes, tuple[str, ...]]:
    written = (*own, *(naming.written_name(name, ask) for name in names))
    keys = (dumps(name).replace(b"%", b"%%") for name in written)
    return b"{" + GAP.join(key + b":%b" for key in keys), written
