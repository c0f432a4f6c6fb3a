"""A row on the terminal: what it is, why it is left out, its turns."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from whileai_export.cli.published import Side, sides
from whileai_export.cli.selected import WHY, Shown
from whileai_export.shared.schema import JsonObject

Line = tuple[str, str | None]

_TOLD = ("label", "reward", "margin", "task")


def lines_of(shown: Shown, width: int | None) -> Iterator[Line]:
    """One row; a pair has its better side before the worse."""
    head = f"row {shown.number}  line {shown.line}  "
    if shown.kept_out:
        why = "{gate}, {at}: {problem}".format_map(shown.kept_out)
        yield f"{head}kept out: {why}", "bad"
        return
    yield f"{head}{about(shown)}".rstrip(), "good"
    if shown.left_out:
        yield f"  left out of an export: {WHY[shown.left_out]}", "warn"
    names = [str(_function(tool).get("name")) for tool in shown.row.get("tools") or []]
    if names:
        yield f"  {len(names)} tools: {_cut(', '.join(names), width)}", None
    for side in sides(shown.row):
        if side.name:
            yield f"  {side.name}", "good"
        yield from ((line, None) for line in turns(_unmarked(side, shown), width))


def about(shown: Shown) -> str:
    """The grade and the task of a row, where it has them."""
    known = {name: shown.row.get(name) for name in _TOLD} | {"rollout": shown.rollout}
    return "  ".join(
        f"{name} {said if isinstance(said, str) else json.dumps(said)}"
        for name, said in known.items()
        if said is not None
    )


def turns(side: Side, width: int | None) -> Iterator[str]:
    """A line a turn, under the number that a finding names it by, and one a call."""
    for number, (message, trained) in enumerate(zip(side.turns, side.mask, strict=True)):
        mark = f"{number:>3} {'*' if trained else ' '}"
        said = _text(message.get("content"), width)
        yield f"{mark} {message.get('role', '?'):<9}  {said}".rstrip()
        for call in message.get("tool_calls") or ():
            function = _function(call)
            called = f"{function.get('name')} {_text(function.get('arguments'), width)}"
            yield f"    {mark[-1]} {'':<9}  -> {_cut(called, width)}".rstrip()


def _unmarked(side: Side, shown: Shown) -> Side:
    """The turns, of which none is trained on where the row is left out."""
    return side._replace(mask=[0] * len(side.mask)) if shown.left_out else side


def _function(call: Any) -> JsonObject:
    """The part of a call or a schema that has a name; nothing where a file holds something else."""
    found = call.get("function", call) if isinstance(call, dict) else None
    return found if isinstance(found, dict) else {}


def _text(content: Any, width: int | None) -> str:
    """On one line; what is no text as its JSON."""
    if content is None:
        return ""
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    return _cut(" ".join(text.split()), width)


def _cut(text: str, width: int | None) -> str:
    return text if width is None or len(text) <= width else f"{text[:width]}…"
