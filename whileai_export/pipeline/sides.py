"""A preference pair as people hand it over, read into its two sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from whileai_export.core.carry import scrubbed
from whileai_export.core.identity import first_assistant
from whileai_export.core.wire import same_turn
from whileai_export.io.decode import decode
from whileai_export.pipeline.door import read_row
from whileai_export.pipeline.job import Job
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import JsonObject, Message, Trajectory

SIDES = ("chosen", "rejected")


@dataclass(slots=True)
class Pair:
    """Both sides of a preference, and what was said about it."""

    chosen: Trajectory
    rejected: Trajectory
    given: JsonObject

    @property
    def sides(self) -> tuple[Trajectory, Trajectory]:
        """Chosen first."""
        return self.chosen, self.rejected


def read_pair(raw: object, job: Job) -> Pair:
    """The pair in one raw record. A side is a row of any shape, or a list of messages."""
    if isinstance(raw, bytes):
        raw = decode(raw)[0]
    if not isinstance(raw, dict):
        raise BadRow(f"expected a pair with chosen and rejected, got {type(raw).__name__}")
    sides = []
    for name in SIDES:
        if raw.get(name) is None:
            raise BadRow(f"expected a pair with chosen and rejected, got none under {name}")
        try:
            sides.append(read_row(_row(raw, name), job))
        except BadRow as bad:
            raise BadRow(bad.problem, f"$.{name}{bad.at[1:]}") from None
    given = {key: value for key, value in raw.items() if key not in SIDES}
    return Pair(sides[0], sides[1], given)


def _row(raw: JsonObject, name: str) -> object:
    side: Any = raw[name]
    if not isinstance(side, list):
        return side
    prompt = raw.get("prompt")
    before = prompt if isinstance(prompt, list) else []
    row: JsonObject = {"messages": [*before, *side]}
    if raw.get("tools") is not None:
        row["tools"] = raw["tools"]
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


def facts(pair: Pair, lengths: tuple[int, int]) -> JsonObject:
    """What a pair's columns say: as given where somebody judged, else computed.

    ``lengths``: characters of everything the assistant says on either side, as written.
    """
    chosen, rejected = pair.sides
    scores = [side.columns.get("reward") for side in pair.sides]
    models = [side.columns.get("model_version") for side in pair.sides]
    computed: JsonObject = {
        "first_turn_differs": _first_turns_differ(pair),
        "chosen_score": scores[0],
        "rejected_score": scores[1],
        "chosen_model": models[0],
        "rejected_model": models[1],
        "same_policy": None if None in models else models[0] == models[1],
        "length_delta": lengths[0] - lengths[1],
        "chosen_reason": chosen.columns.get("reason"),
        "rejected_reason": rejected.columns.get("reason"),
        "rejected_failure_class": rejected.columns.get("failure_class"),
        "task": chosen.task,
    }
    told = {name: pair.given.get(name, value) for name, value in computed.items()}
    if pair.given.get("tie"):
        told["tie"] = True
    told["margin"] = pair.given.get("margin", _margin(told))
    lineage = {
        name: side.columns["lineage"]
        for name, side in zip(SIDES, pair.sides, strict=True)
        if "lineage" in side.columns
    }
    given = pair.given.get("lineage")
    told["lineage"] = (scrubbed(given)[0] if given else lineage) or None
    return {name: value for name, value in told.items() if value is not None}


def _margin(told: JsonObject) -> float | None:
    scores = told.get("chosen_score"), told.get("rejected_score")
    if not all(isinstance(s, int | float) for s in scores):
        return None
    return round(float(scores[0]) - float(scores[1]), 9)  # type: ignore[arg-type]


def _first_turns_differ(pair: Pair) -> bool:
    first = []
    for side in pair.sides:
        place = first_assistant(side.messages)
        if place == len(side.messages):
            return True
        first.append(side.messages[place])
    return not same_turn(*first)
