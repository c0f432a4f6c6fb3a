"""Text columns that hold nothing but dates: loaders read them as dates, declared as text or not.

Measured with datasets 5.2: a column declared as text comes back with another spelling when every
value of a chunk looks like a date; one declared as JSON comes back as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

import orjson

#: After so many dates and nothing else a column is taken for one of dates. It is then declared
#: as JSON, which is right for any text.
_ENOUGH = 64
_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d(:?\d\d(:?\d\d)?)?(Z|[+-]\d\d(:?\d\d)?)?)?")


def is_date(text: str) -> bool:
    """Whether a loader takes the text for a date."""
    return _DATE.fullmatch(text) is not None


class Dates:
    """Looks at a file's lines, one by one. One other text settles a column for good.

    ``open`` holds the columns that are not settled yet.
    """

    def __init__(self, columns: Mapping[str, Sequence[str]]) -> None:
        self.open = {name for name, kinds in columns.items() if list(kinds) == ["string"]}
        self._seen: Counter[str] = Counter()

    def look(self, line: bytes) -> None:
        """One more line."""
        row = orjson.loads(line) if line.strip() else {}
        for name in [name for name in self.open if row.get(name) is not None]:
            if is_date(row[name]):
                self._seen[name] += 1
                if self._seen[name] >= _ENOUGH:
                    self.open.discard(name)
            else:
                self.open.discard(name)
                del self._seen[name]

    def kinds(self, columns: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
        """The columns with the kind ``date`` where every text was one."""
        return {n: ["date"] if self._seen[n] else list(kinds) for n, kinds in columns.items()}
