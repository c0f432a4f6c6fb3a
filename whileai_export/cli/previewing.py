"""``preview``: the first rows as a trainer reads them, turn by turn."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click

from whileai_export.cli import dry, published
from whileai_export.cli.choices import prompt_in, tools_in
from whileai_export.cli.door import Door
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
    is the one in a finding's place: `$.messages[7]` is turn 7.
    """
    exported = published.format_of(source)
    if exported:
        found = published.first_rows(source, rows)
    else:
        around = dry.Around(prompt_in(system_prompt), tools_in(tools))
        found = dry.rows(source, around, "openai", rows)
    if door.as_json:
        as_json(found)
        return
    for number, row in enumerate(found):
        say(f"row {number}  {about(row)}".rstrip(), "good")
        for side in published.sides(row) if exported else [row]:
            if exported:
                say("-" * 13)
            for line in turns(side, None if full else WIDTH):
                say(line)


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
