"""A preference pair as people hand it over, read into its two sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from whileai_export.core.clean import without_think
from whileai_export.core.mask import is_empty
from whileai_export.core.select import trimmed
from whileai_export.core.values import placed, settle
from whileai_export.io.decode import decode
from whileai_export.pipeline.door import read_row
from whileai_export.pipeline.job import Job
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import JsonObject, Message, Repairs, Trajectory

SIDES = ("chosen", "rejected")


class Match(NamedTuple):
    """Two rows of a source that were paired, as they were read."""

    chosen: bytes
    rejected: bytes
    places: tuple[int, int]
    """Where each stands among the rows of its task, from 0: its rollout where none is recorded."""


@dataclass(slots=True)
class Pair:
    """Both sides of a preference, and what was said about it."""

    chosen: Trajectory
    rejected: Trajectory
    given: JsonObject
    places: tuple[int, int] | None = None
    """Where each side stands among the rows of its task, where these are at hand."""

    @property
    def sides(self) -> tuple[Trajectory, Trajectory]:
        """Chosen first."""
        return self.chosen, self.rejected


def read_pair(raw: object, job: Job) -> Pair:
    """The pair in one raw record. A side is a row of any shape, or a list of messages."""
    if isinstance(raw, Match):
        chosen, rejected = read_row(raw.chosen, job), read_row(raw.rejected, job)
        return Pair(chosen, rejected, {}, raw.places)
    record = _record(raw)
    sides = []
    for name in SIDES:
        if record.get(name) is None:
            raise BadRow(f"expected a pair with chosen and rejected, got none under {name}")
        try:
            sides.append(read_row(_row(record, name), job))
        except BadRow as bad:
            raise placed(bad, f"$.{name}") from None
    given, _ = settle({key: value for key, value in record.items() if key not in SIDES})
    return Pair(sides[0], sides[1], given)


def _record(raw: object) -> JsonObject:
    """A pair that somebody handed over, on a line or in memory."""
    if isinstance(raw, bytes):
        raw = decode(raw)[0]
    if not isinstance(raw, dict):
        raise BadRow(f"expected a pair with chosen and rejected, got {type(raw).__name__}")
    if "preferred_output" in raw and "chosen" not in raw:
        raise BadRow("expected a pair with chosen and rejected, got a row of format fireworks")
    if all(raw.get(name) is None for name in SIDES):
        raise BadRow(
            "expected a pair with chosen and rejected, got a row without either;"
            " build_preference_pairs makes pairs of rollouts"
        )
    return raw


def _row(raw: JsonObject, name: str) -> object:
    """One side as a row; a list of messages shares what the pair says for both."""
    side: Any = raw[name]
    if not isinstance(side, list):
        return side
    prompt = raw.get("prompt")
    before = prompt if isinstance(prompt, list) else []
    row: JsonObject = {"messages": [*before, *side]}
    for shared in ("tools", "privileged"):
        if raw.get(shared) is not None:
            row[shared] = raw[shared]
    return row


def ask_of(pair: Pair) -> str:
    """The ask as text: the pair's, else the chosen side's."""
    given = pair.given.get("prompt")
    if isinstance(given, str):
        return given
    return str(pair.chosen.columns.get("prompt", ""))


def reply_length(messages: Sequence[Message]) -> int:
    """Characters of everything the assistant says."""
    return sum([len(m["content"]) for m in messages if m["role"] == "assistant"])


def cleaned(messages: list[Message], strip_think: bool) -> tuple[list[Message], Repairs]:
    """A side as it is compared and written: it ends on an assistant turn."""
    messages = trimmed(messages)
    return without_think(messages) if strip_think else (messages, {})


def completes(messages: Sequence[Message]) -> bool:
    """The assistant answers: some turn of it says something."""
    return any(m["role"] == "assistant" and not is_empty(m) for m in messages)
