"""Three published rows as a person reads them: one conversation after another."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import dagster as dg

ROWS = 3
TURN = 240
TURNS = 12
#: Keys that hold a conversation or a side of one, in the order in which they are shown.
_SAID = ("input", "prompt", "messages", "completion", "chosen", "rejected",
         "preferred_output", "non_preferred_output")  # fmt: skip


def preview(outputs: Iterable[Mapping[str, Any]]) -> dg.MarkdownMetadataValue | None:
    """The first rows of the first published file; None where none is published."""
    first = next(iter(outputs), None)
    if first is None:
        return None
    with Path(first["path"]).open(encoding="utf-8", newline="\n") as file:
        rows = [json.loads(line) for line in islice(file, ROWS)]
    title = f"First rows of `{Path(first['path']).name}`"
    return dg.MetadataValue.md("\n\n".join([title, *map(_row, rows)]))


def _row(row: Mapping[str, Any]) -> str:
    columns = {k: v for k, v in row.items() if isinstance(v, str | int | float)}
    head = ", ".join(f"{name} `{_short(value, 60)}`" for name, value in columns.items())
    parts = [f"---\n{head}"]
    for name in _SAID:
        turns = row.get(name)
        turns = turns.get("messages") if isinstance(turns, dict) else turns
        if isinstance(turns, list):
            parts += [f"**{name}**", *map(_turn, turns[:TURNS])]
            parts += [f"*{len(turns) - TURNS} more turns*"] if len(turns) > TURNS else []
    return "\n\n".join(parts)


def _turn(message: Mapping[str, Any]) -> str:
    calls = [
        f"`{call['function']['name']}({_short(call['function']['arguments'], TURN)})`"
        for call in message.get("tool_calls", ())
    ]
    said = f"`{_short(message['content'], TURN)}`" if message["content"] else ""
    return f"> **{message['role']}** " + " ".join([said, *calls]).strip()


def _short(value: object, limit: int) -> str:
    """One line without anything that Markdown would act on."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    line = " ".join(text.replace("`", "'").split())
    return line if len(line) <= limit else f"{line[:limit]}…"
