"""What published conversations must not quote, looked up in the staged rows they were made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import orjson

from whileai_export.core.identity import task_key
from whileai_export.core.needles import Needle, needles
from whileai_export.io.lines import lines
from whileai_export.shared.schema import JsonObject, Message


class PrivateRows:
    """The privileged values of the staged rows: by row id, else by what the user asked.

    Rows are read as they were staged; a line that is no row any more compares with nothing.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._by_id: dict[str, tuple[Needle, ...]] = {}
        self._by_ask: dict[bytes, dict[Needle, None]] = {}
        for row in _rows(path) if path is not None else ():
            found = needles(row.get("privileged"))
            if found:
                self._by_id[str(row.get("row_id"))] = found
                ask = self._by_ask.setdefault(_ask_key(row["messages"]), {})
                ask.update(dict.fromkeys(found))

    def needles(self, row: JsonObject, messages: Sequence[Message]) -> tuple[Needle, ...]:
        """What a conversation must not quote. Samples and pairs have ids of their own."""
        known = self._by_id.get(str(row.get("row_id")))
        return tuple(self._by_ask.get(_ask_key(messages), ())) if known is None else known


NOTHING_PRIVATE = PrivateRows()


def _rows(path: Path) -> Iterator[JsonObject]:
    for _, line in lines(path):
        try:
            row = orjson.loads(line)
            _ask_key(row["messages"])
        except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError):
            continue
        yield row


def _ask_key(messages: Sequence[Message]) -> bytes:
    """The conversation's first user turn; the system prompt may be another by now."""
    return task_key(next((m["content"].strip() for m in messages if m["role"] == "user"), ""))
