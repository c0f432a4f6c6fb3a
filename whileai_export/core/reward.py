"""A row's grade: the number it carries, and whether that number is a grade."""

from __future__ import annotations

from math import isfinite
from typing import Any, TypeAlias

from whileai_export.shared.schema import NO_REPAIRS, JsonObject, Repairs

#: The ``reward`` column, the grade it is, or why it is none; and what was repaired.
Grade: TypeAlias = tuple[float | None, float | None, str | None, Repairs]

_NULL: Grade = (None, None, "null", NO_REPAIRS)
_ABSENT: Grade = (None, None, "absent", NO_REPAIRS)
_NAN: Grade = (None, None, "nan", {"nan_nulled": 1})
_TOO_LARGE: Grade = (None, None, "out_of_range", {"rewards_left_out": 1})
_OTHER: Grade = (None, None, "other", NO_REPAIRS)
_OF_OTHER_KIND: dict[type, Grade] = {
    bool: (None, None, "bool", NO_REPAIRS),
    str: (None, None, "text", NO_REPAIRS),
}


def grade_of(row: JsonObject) -> Grade:
    """What the row's ``reward`` says. Only a number from 0 to 1 is a grade; nothing is guessed."""
    value: Any = row.get("reward")
    kind = type(value)
    if kind is not float and kind is not int:
        if value is None:
            return _NULL if "reward" in row else _ABSENT
        return _OF_OTHER_KIND.get(kind, _OTHER)
    try:
        number = float(value)
    except OverflowError:
        return _TOO_LARGE
    if 0 <= number <= 1:
        return number, number, None, NO_REPAIRS
    return (number, None, "out_of_range", NO_REPAIRS) if isfinite(number) else _NAN
