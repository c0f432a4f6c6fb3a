"""What to type after a refusal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from whileai_export.cli.door import Door, command
from whileai_export.cli.dry import LIMIT
from whileai_export.shared.remedies import remedy
from whileai_export.shared.schema import JsonObject

_WRITING = (("export",), ("preference",))


class WayOn(NamedTuple):
    """What mends a refusal, in words and as a command."""

    words: str
    command: str


def way_on(door: Door, code: str, report: JsonObject, limit: float | None = None) -> WayOn | None:
    """The way on from a gate's refusal; None where only the data can be mended.

    A call that writes goes on as itself, one that only looks as the export of its file.
    ``limit``: the share of rows that an export may set aside, where the report's is not that.
    """
    mends = remedy(code, report, limit)
    if mends is None:
        return None
    words, settings = mends
    if door.typed[:1] in _WRITING:
        return WayOn(words, door.again(settings))
    if settings == {"strict": False}:
        return WayOn(words, command(*(word for word in door.typed if word != "--strict")))
    # What only a trainer reads is no source: it is made again of the rows that it came from.
    return WayOn(words, door.exporting(settings)) if "source" in report else None


def onwards(door: Door, code: str, report: JsonObject) -> Iterator[str]:
    """The way on of a call that only looks, in lines."""
    found = way_on(door, code, report, LIMIT)
    if found is None:
        yield "to go on, mend these rows, or name a file of graded trajectories"
    else:
        yield f"to go on, {found.words}:"
        yield f"  {found.command}"
