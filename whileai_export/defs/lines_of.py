"""On which line of a TOML text a key stands: its parser does not say."""

from __future__ import annotations

import re

_TABLE = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]\s*(#.*)?$")
_KEY = re.compile(r"\s*(\"[^\"]*\"|'[^']*'|[A-Za-z0-9_-]+)\s*=")


def line_of(text: str, table: str, key: str | None = None) -> int | None:
    """The 1-based line of a key in a table, or of the table; None where it is written otherwise."""
    here = ""
    for number, line in enumerate(text.splitlines(), 1):
        opened = _TABLE.match(line)
        if opened:
            here = re.sub(r"[\"'\s]", "", opened[1])
            if here == table and key is None:
                return number
        assigned = _KEY.match(line)
        if assigned and here == table and assigned[1].strip("\"'") == key:
            return number
    return None
