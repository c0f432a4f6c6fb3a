"""``preview``: rows as a trainer reads them, turn by turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from whileai_export.cli import published, wording
from whileai_export.cli.door import Door
from whileai_export.cli.selected import First, first_rows
from whileai_export.cli.source import example, json_option, read_with, source_argument, surroundings
from whileai_export.cli.terminal import WIDTH, as_json, say
from whileai_export.cli.turns import lines_of
from whileai_export.cli.way_on import onwards


@example("preview runs.jsonl -n 1")
@click.command("preview")
@source_argument
@click.option("-n", "--rows", type=click.IntRange(1), default=1, help="Rows to show. [1]")
@click.option("--row", "number", type=click.IntRange(0), help="Show this row alone, from 0.")
@click.option("--full", is_flag=True, help="Show whole texts, not their beginnings.")
@surroundings
@json_option
@click.pass_obj
def preview(
    door: Door,
    /,
    source: str,
    rows: int,
    number: int | None,
    full: bool,
    **given: Any,
) -> None:
    """Show the first rows of FILE as a trainer reads them.

    Writes nothing. A turn marked * is trained on; the others are context. The number before it
    is the one in a finding's place: `$.messages[7]` is turn 7. A row that an export would leave
    out says why, and none of its turns is marked. Of a row that a gate keeps out only the gate
    and the place are shown.
    """
    wanted = range(rows) if number is None else range(number, number + 1)
    if published.format_of(source):
        found = published.shown_rows(source, wanted)
    else:
        found = first_rows(source, read_with(given), wanted, door.as_json)
    if door.as_json:
        as_json([shown.plain() for shown in found.rows])
        return
    for shown in found.rows:
        for line, style in lines_of(shown, None if full else WIDTH):
            say(wording.typed(line) if shown.kept_out else line, style)
    for line in _afterwards(found, door, number is not None):
        say(line)


def _afterwards(found: First, door: Door, alone: bool) -> Iterator[str]:
    """What an export of the file would end in, and its first row where none that is shown is one.

    ``alone``: somebody asked for this row, whatever becomes of it.
    """
    if found.refusal is not None:
        yield f"an export of this file would be refused: {found.refusal}"
        yield from onwards(door, found.refusal.code, found.report)
    elif found.written is not None and not alone:
        yield f"the first row that an export writes is row {found.written}:"
        yield f"  {door.again({'row': found.written}, 'rows')}"
