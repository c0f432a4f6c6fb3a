"""``preview``: the first rows as a trainer reads them, turn by turn."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click

from whileai_export.cli import dry, published
from whileai_export.cli.choices import prompt_in, tools_in
from whileai_export.cli.door import Door, again
from whileai_export.cli.selected import WHY, First, Shown, first_rows
from whileai_export.cli.source import example, json_option, source_argument, surroundings
from whileai_export.cli.terminal import as_json, say
from whileai_export.shared.schema import JsonObject

WIDTH = 96


@example("preview runs.jsonl -n 1")
@click.command("preview")
@source_argument
@click.option("-n", "--rows", type=click.IntRange(1), default=1, help="Rows to show. [1]")
@click.option("--full", is_flag=True, help="Show whole texts, not their beginnings.")
@surroundings
@json_option
@click.pass_obj
def preview(
    door: Door,
    source: str,
    rows: int,
    full: bool,
    system_prompt: Path | None,
    tools: Path | None,
) -> None:
    """Show the first rows of FILE as a trainer reads them.

    Writes nothing. A turn marked * is trained on; the others are context. The number before it
    is the one in a finding's place: `$.messages[7]` is turn 7. A row that an export would leave
    out says why, and none of its turns is marked. Rows that a gate keeps out are not shown.
    """
    exported = published.format_of(source)
    if exported:
        told = published.first_rows(source, rows)
        found = First([Shown(number, row) for number, row in enumerate(told)])
    else:
        around = dry.Around(prompt_in(system_prompt), tools_in(tools))
        found = first_rows(source, around, rows, door.as_json)
    if door.as_json:
        as_json([_plain(shown) for shown in found.rows])
        return
    for shown in found.rows:
        for line, style in shown_lines(shown, bool(exported), None if full else WIDTH):
            say(line, style)
    if found.written is not None:
        say(f"the first row that an export writes is row {found.written}:")
        say(f"  {again(door.typed, ('-n', str(found.needed)))}")


def shown_lines(
    shown: Shown, exported: bool, width: int | None
) -> Iterator[tuple[str, str | None]]:
    """One row: what it is, why it is left out, its turns; a pair side by side."""
    yield f"row {shown.number}  {about(shown.row)}".rstrip(), "good"
    if shown.left_out:
        yield f"  left out of an export: {WHY[shown.left_out]}", "warn"
    for side in published.sides(shown.row) if exported else [_unmarked(shown)]:
        if exported:
            yield "-" * 13, None
        yield from ((line, None) for line in turns(side, width))


def _plain(shown: Shown) -> JsonObject:
    """The row itself; of one that is left out, with the reason."""
    return shown.row | ({"left_out": shown.left_out} if shown.left_out else {})


def _unmarked(shown: Shown) -> JsonObject:
    """The row, of which nothing is trained on where it is left out."""
    mask = shown.row["loss_mask"]
    return {**shown.row, "loss_mask": [0] * len(mask) if shown.left_out else mask}


def about(row: JsonObject) -> str:
    """The grade and the task of a row, where it has them."""
    named = {key: row.get(key) for key in ("reward", "scenario_id", "rollout_index")}
    tools = [tool.get("function", tool).get("name") for tool in row.get("tools") or []]
    named["tools"] = ", ".join(map(str, tools)) or None
    return "  ".join(f"{key} {value}" for key, value in named.items() if value is not None)


def turns(row: JsonObject, width: int | None) -> Iterator[str]:
    """A line a turn, under the number that a finding names it by, and one a call."""
    pairs = zip(row["messages"], row["loss_mask"], strict=True)
    for number, (message, trained) in enumerate(pairs):
        mark = f"{number:>3} {'*' if trained else ' '}"
        text = " ".join(message["content"].split())
        yield f"{mark} {message['role']:<9}  {_cut(text, width)}".rstrip()
        for call in message.get("tool_calls", ()):
            function = call["function"]
            yield f"    {mark[-1]} {'':<9}  -> {_cut(function['name'] + _said(function), width)}"


def _said(function: JsonObject) -> str:
    arguments = function["arguments"]
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return f" {text}"


def _cut(text: str, width: int | None) -> str:
    return text if width is None or len(text) <= width else f"{text[:width]}…"
