"""What a pair's columns say: as given by whoever judged it, else read off its sides."""

from __future__ import annotations

from typing import Any

from whileai_export.core.carry import scrubbed
from whileai_export.core.identity import first_assistant, same_turn
from whileai_export.pipeline.sides import SIDES, Pair
from whileai_export.shared.schema import JsonObject

_MOST = 1e300


def facts(pair: Pair, lengths: tuple[int, int]) -> JsonObject:
    """The columns of a pair. ``lengths``: characters the assistant says on either side."""
    chosen, rejected = pair.sides
    models = [_given(pair, f"{name}_model", _model(pair, name)) for name in SIDES]
    scores = [_number(pair, f"{name}_score", _reward(pair, name)) for name in SIDES]
    told: dict[str, Any] = {
        "tie": True if pair.given.get("tie") else None,
        "first_turn_differs": _flag(pair, "first_turn_differs", _first_turns_differ(pair)),
        "chosen_score": scores[0],
        "rejected_score": scores[1],
        "margin": _number(pair, "margin", _margin(*scores)),
        "chosen_model": models[0],
        "rejected_model": models[1],
        "same_policy": _flag(pair, "same_policy", _same_policy(*models)),
        "length_delta": _length_delta(pair, lengths),
        "chosen_reason": _given(pair, "chosen_reason", chosen.columns.get("reason")),
        "rejected_reason": _given(pair, "rejected_reason", rejected.columns.get("reason")),
        "rejected_failure_class": _given(
            pair, "rejected_failure_class", rejected.columns.get("failure_class")
        ),
        "task": _text(pair, "task", chosen.task),
        "lineage": _given(pair, "lineage", _lineage(pair)),
    }
    return {name: value for name, value in told.items() if value is not None}


def _given(pair: Pair, name: str, otherwise: Any) -> Any:
    value = pair.given.get(name)
    return otherwise if value is None else scrubbed(value)[0]


def _text(pair: Pair, name: str, otherwise: str | None) -> str | None:
    value = pair.given.get(name)
    return value if isinstance(value, str) and value else otherwise


def _number(pair: Pair, name: str, otherwise: float | None) -> float | None:
    """A given number, one type for the whole column; what is none is as good as absent."""
    value = pair.given.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return otherwise
    return float(value) if -_MOST < value < _MOST else otherwise


def _reward(pair: Pair, side: str) -> float | None:
    value: float | None = getattr(pair, side).columns.get("reward")
    return value


def _model(pair: Pair, side: str) -> Any:
    return getattr(pair, side).columns.get("model_version")


def _margin(chosen: float | None, rejected: float | None) -> float | None:
    return None if chosen is None or rejected is None else round(chosen - rejected, 9)


def _flag(pair: Pair, name: str, otherwise: bool | None) -> bool | None:
    value = pair.given.get(name)
    return value if isinstance(value, bool) else otherwise


def _same_policy(chosen: Any, rejected: Any) -> bool | None:
    return None if chosen is None or rejected is None else chosen == rejected


def _length_delta(pair: Pair, lengths: tuple[int, int]) -> int:
    value = pair.given.get("length_delta")
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 53:
        return value
    return lengths[0] - lengths[1]


def _lineage(pair: Pair) -> JsonObject | None:
    found = {
        name: side.columns["lineage"]
        for name, side in zip(SIDES, pair.sides, strict=True)
        if "lineage" in side.columns
    }
    return found or None


def _first_turns_differ(pair: Pair) -> bool:
    first = []
    for side in pair.sides:
        place = first_assistant(side.messages)
        if place == len(side.messages):
            return True
        first.append(side.messages[place])
    return not same_turn(*first)
