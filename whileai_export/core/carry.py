"""The columns a row carries along, without what only the grader may see."""

from __future__ import annotations

import json
from typing import Any

from whileai_export.core.repairs import added
from whileai_export.core.values import (
    DOUBTFUL,
    LEAST_INT,
    MAX_DEPTH,
    MOST_INT,
    TOO_DEEP,
    json_of,
    kind_of,
)
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import (
    CARRIED,
    GROUP_FIELDS,
    NO_REPAIRS,
    PRIVATE_KEYS,
    JsonObject,
    Repairs,
    Shape,
)

#: Columns that only a training row brings along, after the carried ones.
OF_TRAINING = (
    *("task", "row_id", "unroll", "tool_output_truncated", "tool_output_chars_cut"),
    *GROUP_FIELDS,
)

_AFTER_REWARD = CARRIED[1:]
_AFTER_REWARD_OF_TRAINING = _AFTER_REWARD + OF_TRAINING


def carried(
    row: JsonObject, shape: Shape, reward: float | None, ask: str | None
) -> tuple[JsonObject, Repairs]:
    """The carried columns in their order, ``reward`` first; a null column counts as absent."""
    columns: JsonObject = {} if reward is None else {"reward": reward}
    repairs = NO_REPAIRS
    names = _AFTER_REWARD_OF_TRAINING if shape == "training" else _AFTER_REWARD
    for name, value in zip(names, map(row.get, names), strict=True):
        if value is None:
            continue
        kind = type(value)
        text = kind is str and ("{" not in value or name == "prompt")
        if text or kind is bool or _is_clean(value):
            columns[name] = value
        else:
            kept, found = _scrubbed_column(name, value)
            repairs = added(repairs, found)
            if kept is not None:
                columns[name] = kept
    return _with_ids(columns, ask), repairs


def identity(value: object, at: str) -> str | None:
    """An id as text; None where there is none."""
    if type(value) is str:
        return value or None
    if value is None:
        return None
    if type(value) is int or (type(value) is float and value.is_integer()):
        return _digits(int(value))
    raise BadRow(f"expected an id, got {kind_of(value)}", at)


def _with_ids(columns: JsonObject, ask: str | None) -> JsonObject:
    """The columns with the ask as ``prompt`` and ids as text, still in their order."""
    scenario, rollout = columns.get("scenario_id"), columns.get("rollout_index")
    if type(rollout) is dict or type(rollout) is list:
        raise BadRow(f"expected a number, got {kind_of(rollout)}", "$.rollout_index")
    if columns.get("prompt") == ask and (scenario is None or (scenario and type(scenario) is str)):
        return columns
    settled = {**columns, "prompt": ask, "scenario_id": identity(scenario, "$.scenario_id")}
    order = (*CARRIED, *OF_TRAINING)
    return {name: settled[name] for name in order if settled.get(name) is not None}


def scrubbed(
    value: Any, private: frozenset[str] = PRIVATE_KEYS, depth: int = 1
) -> tuple[Any, Repairs]:
    """The value without private keys, with null for NaN and text for integers past 64 bit."""
    if not isinstance(value, dict | list):
        return _scrubbed_text(value, private) if isinstance(value, str) else _scrubbed_number(value)
    if depth > MAX_DEPTH:
        raise BadRow(TOO_DEEP)
    repairs = NO_REPAIRS
    kept = []
    names = [key for key in value if key not in private] if isinstance(value, dict) else None
    for item in value if names is None else (value[name] for name in names):
        child, found = scrubbed(item, private, depth + 1)
        kept.append(child)
        repairs = added(repairs, found)
    if names is None:
        return kept, repairs
    if len(names) != len(value):
        repairs = added(repairs, {"private_keys_removed": len(value) - len(names)})
    return dict(zip(names, kept, strict=True)), repairs


def _scrubbed_number(value: Any) -> tuple[Any, Repairs]:
    if isinstance(value, float):
        return (value, NO_REPAIRS) if value - value == 0 else (None, {"nan_nulled": 1})
    if not isinstance(value, int) or LEAST_INT <= value <= MOST_INT:
        return value, NO_REPAIRS
    return _digits(value), {"big_integers_as_text": 1}


def _scrubbed_text(text: str, private: frozenset[str]) -> tuple[str, Repairs]:
    """The text; where it is JSON, without private keys in it too."""
    if not _may_hide(text, private):
        return text, NO_REPAIRS
    try:
        value, found = scrubbed(json_of(text), private)
    except (BadRow, ValueError):
        return text, NO_REPAIRS
    if "private_keys_removed" not in found:
        return text, NO_REPAIRS
    return json.dumps(value), {"private_keys_removed": found["private_keys_removed"]}


def _may_hide(text: str, private: frozenset[str]) -> bool:
    return "{" in text and any(key in text for key in private)


def _scrubbed_column(name: str, value: Any) -> tuple[Any, Repairs]:
    try:
        return scrubbed(value)
    except BadRow as bad:
        raise BadRow(bad.problem, f"$.{name}") from None


def _digits(value: int) -> str:
    try:
        return str(value)
    except ValueError:  # more digits than Python writes in decimal
        return hex(value)


def _is_clean(value: Any, depth: int = 1) -> bool:
    """Whether nothing in a value has to change. The quick look before the slow one."""
    kind = type(value)
    if kind is dict:
        if depth > MAX_DEPTH or not PRIVATE_KEYS.isdisjoint(value):
            return False
        inside = value.values()
    elif kind is list:
        if depth > MAX_DEPTH:
            return False
        inside = value
    elif kind is str:
        return not _may_hide(value, PRIVATE_KEYS)
    else:
        return kind is bool or ((kind is int or kind is float) and -DOUBTFUL < value < DOUBTFUL)
    for item in inside:
        if item is None or (type(item) is str and "{" not in item) or _is_clean(item, depth + 1):
            continue
        return False
    return True
