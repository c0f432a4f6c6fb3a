"""Files that are no source any more: the format they are in, and their rows as they are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from whileai_export.cli.selected import First, Shown
from whileai_export.pipeline.audit import conversations
from whileai_export.pipeline.numbering import numbered
from whileai_export.shared.errors import ExportError, OptionError
from whileai_export.shared.schema import JsonObject, WireFormat

#: Rows that are looked at to tell formats apart that a single row may not tell.
_SOME = 20
SIDES = ("chosen", "rejected")


class Side(NamedTuple):
    """A conversation of a row with its mask: what a trainer learns from is 1."""

    name: str
    """Which side of a pair it is, with its score; empty of a row that is no pair."""
    turns: list[JsonObject]
    mask: list[int]


def format_of(source: str) -> WireFormat | None:
    """The format of a file that only a trainer reads; None where an export could read it."""
    rows = [row for _, row in islice(_rows(source), _SOME)]
    told = told_by(rows[0]) if rows else None
    if told == "trl" and not any(_is_longer(row) for row in rows):
        one_turn = any(_is_inside(row) for row in rows) or ".trl-completion." in Path(source).name
        return "trl-completion" if one_turn else "trl"
    return told


def told_by(row: JsonObject) -> WireFormat | None:
    """The format that a row's columns tell; of the two that pairs for TRL have, the first."""
    if "preferred_output" in row or any("weight" in turn for turn in _turns(row)):
        return "fireworks"
    if isinstance(row.get("completion"), list):
        return "kto" if "label" in row else "trl-completion"
    if isinstance(row.get("chosen"), list) and "rejected" in row:
        return "openai" if isinstance(row.get("prompt"), str) else "trl"
    return None


def is_for_trl(source: str) -> bool:
    """Whether a file that an export could read holds rows in format ``trl``."""
    row = next((row for _, row in _rows(source)), {})
    return isinstance(row.get("loss_mask"), list) and "prompt_text" in row


def is_pair(row: JsonObject) -> bool:
    """Whether a row of a wire format has two sides."""
    return "rejected" in row or "non_preferred_output" in row


def holds_pairs(source: str) -> bool:
    """Whether the rows of a file are pairs."""
    return any(is_pair(row) for _, row in islice(_rows(source), 1))


def shown_rows(source: str, wanted: range) -> First:
    """The rows of these numbers, as they stand in the file."""
    found = [
        Shown(number, line, row)
        for number, (line, row) in islice(enumerate(_rows(source)), wanted.start, wanted.stop)
    ]
    if not found:
        raise OptionError(f"--row: expected the number of a row of {source}, got {wanted.start}")
    return First(found)


def sides(row: JsonObject) -> list[Side]:
    """Each conversation of a row; of a pair the better one first."""
    if isinstance(row.get("loss_mask"), list):
        return [Side("", row["messages"], row["loss_mask"])]
    found = []
    shared = _shared(row)
    for name, conversation in zip(_names(row), conversations(row), strict=False):
        turns = [turn if isinstance(turn, dict) else {"content": turn} for turn in conversation]
        mask = [
            int(turn.get("weight", place >= shared and turn.get("role") == "assistant"))
            for place, turn in enumerate(turns)
        ]
        found.append(Side(name, turns, mask))
    return found


def _names(row: JsonObject) -> list[str]:
    if not is_pair(row):
        return [""]
    scores = [row.get(f"{side}_score") for side in SIDES]
    return [
        side if score is None else f"{side}  score {score}"
        for side, score in zip(SIDES, scores, strict=True)
    ]


def _rows(source: str) -> Iterator[tuple[int, JsonObject]]:
    """The rows of a file on this machine with their lines; none where one is no JSON object."""
    path = Path(source)
    if not path.is_file():
        return
    try:
        for line, raw in numbered(path):
            row = json.loads(raw)
            if not isinstance(row, dict):
                return
            yield line, row
    except (ExportError, ValueError, OSError, EOFError, RecursionError):
        return


def _is_longer(row: JsonObject) -> bool:
    """A side of the pair is more than one turn."""
    return any(len(row.get(side) or ()) > 1 for side in SIDES)


def _is_inside(row: JsonObject) -> bool:
    """The pair is about a turn inside a conversation, or about one that only calls a tool."""
    prompt, chosen = row.get("prompt") or [], row.get("chosen") or []
    said = [turn.get("role") for turn in prompt if isinstance(turn, dict)]
    return "assistant" in said or any(
        isinstance(turn, dict) and turn.get("tool_calls") for turn in chosen
    )


def _shared(row: JsonObject) -> int:
    """How many turns the sides have in common: they are context."""
    asked = row.get("input")
    given: Any = asked.get("messages") if isinstance(asked, dict) else row.get("prompt")
    if isinstance(given, list):
        return len(given)
    turns = _turns(row) or row.get("chosen") or []
    roles = [turn.get("role") for turn in turns if isinstance(turn, dict)]
    return roles.index("assistant") if "assistant" in roles else len(roles)


def _turns(row: JsonObject) -> list[JsonObject]:
    turns = row.get("messages")
    return [t for t in turns if isinstance(t, dict)] if isinstance(turns, list) else []
