"""What to type after a refusal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from whileai_export.cli import published
from whileai_export.cli.door import Door, command
from whileai_export.cli.dry import LIMIT
from whileai_export.shared.errors import Ungraded
from whileai_export.shared.remedies import none_readable, remedy
from whileai_export.shared.schema import JsonObject

_WRITING = (("export",), ("preference",))
#: A check is no way to an export: what it prints runs as it stands.
_LOOKING = (("inspect",), ("preview",))
_CAREFUL: Mapping[str, Any] = {}
#: What a file is read with, by the option that gives it, and where a report says it came from.
_AROUND = {"--system-prompt": "system_prompt_from", "--tools": "tools_from"}


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
    pairs_of_nothing = code == Ungraded.code and door.typed[:1] == ("preference",)
    if mends is None or pairs_of_nothing:
        return None
    words, settings = mends
    if door.typed[:1] in _WRITING:
        return WayOn(words, door.again(settings))
    if settings == {"strict": False}:
        return WayOn(words, command(*(word for word in door.typed if word != "--strict")))
    # What only a trainer reads is no source: it is made again of the rows that it came from.
    return WayOn(words, exporting(door, report, settings)) if "source" in report else None


def exporting(door: Door, report: JsonObject, settings: Mapping[str, Any] = _CAREFUL) -> str:
    """The export of this call's FILE, with a place for what no row of it has.

    What only some rows lack is not asked for here: an option would take the others' place.
    """
    bare = [
        option
        for option, part in _AROUND.items()
        if door.typed[:1] in _LOOKING
        and set(report["source"].get(part, ())) == {"none"}
        and (option != "--tools" or report["tool_call_roundtrip"]["checked"])
    ]
    return door.exporting(settings, *bare)


def finished(source: str) -> tuple[str, list[str]] | None:
    """What a file is that only a trainer reads, and the commands that look at it."""
    format = published.format_of(source)
    if format is None:
        return None
    what = "preference pairs" if published.holds_pairs(source) else "training rows"
    looks = [command(name, source) for name in ("check", "preview")]
    return f"a finished file of {what} ({format})", looks


def onwards(door: Door, code: str, report: JsonObject) -> Iterator[str]:
    """The way on of a call that only looks, in lines."""
    found = way_on(door, code, report, LIMIT)
    done = finished(door.source) if none_readable(report) else None
    if done is not None:
        yield f"this is {done[0]}; to look at it:"
        yield from (f"  {looks}" for looks in done[1])
    elif found is None:
        shaped = ", or say with --adapter what reads them" if none_readable(report) else ""
        yield f"to go on, mend these rows{shaped}, or name a file of graded trajectories"
    else:
        yield f"to go on, {found.words}:"
        yield f"  {found.command}"
