"""Text columns that hold nothing but dates: loaders read them as dates, declared as text or not.

Measured with datasets 5.2: a column declared as text comes back with another spelling when every
value of a chunk looks like a date; one declared as JSON comes back as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import orjson

#: Lines of a block that are looked at while a column has shown no value yet.
_LINES = 8
_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d(:?\d\d(:?\d\d)?)?(Z|[+-]\d\d(:?\d\d)?)?)?")


def is_date(text: str) -> bool:
    """Whether a loader takes the text for a date."""
    return _DATE.fullmatch(text) is not None


class Dates:
    """Looks at a file's lines, block by block. One other text settles a column for good."""

    def __init__(self, columns: Mapping[str, Sequence[str]]) -> None:
        self._open = {name for name, kinds in columns.items() if list(kinds) == ["string"]}
        self._seen: set[str] = set()

    def look(self, lines: Iterable[bytes]) -> None:
        """The lines of one more block."""
        if not self._open:
            return
        for place, line in enumerate(lines):
            if place >= _LINES and not self._seen:
                return
            row = orjson.loads(line) if line.strip() else {}
            shown = {name for name in self._open if row.get(name) is not None}
            dated = {name for name in shown if is_date(row[name])}
            self._open -= shown - dated
            self._seen = (self._seen | dated) & self._open
            if not self._open:
                return

    def kinds(self, columns: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
        """The columns with the kind ``date`` where every text was one."""
        return {n: ["date"] if n in self._seen else list(kinds) for n, kinds in columns.items()}
