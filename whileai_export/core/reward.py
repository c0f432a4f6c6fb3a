"""A row's grade: the number it carries, and whether that number is a grade."""

from __future__ import annotations

from typing import NamedTuple

from whileai_export.shared.schema import NO_REPAIRS, JsonObject, Repairs


class Grade(NamedTuple):
    """The ``reward`` column, the grade it is, or why it is none."""

    column: float | None
    reward: float | None
    ungraded: str | None
    repairs: Repairs = NO_REPAIRS


_NULL = Grade(None, None, "null")
_ABSENT = Grade(None, None, "absent")
_NAN = Grade(None, None, "nan", {"nan_nulled": 1})
_TOO_LARGE = Grade(None, None, "out_of_range", {"rewards_left_out": 1})
_OF_OTHER_KIND = {bool: Grade(None, None, "bool"), str: Grade(None, None, "text")}


def grade_of(row: JsonObject) -> Grade:
    """What the row's ``reward`` says. Only a number from 0 to 1 is a grade; nothing is guessed."""
    value = row.get("reward")
    kind = type(value)
    if kind is not float and kind is not int:
        if value is None:
            return _NULL if "reward" in row else _ABSENT
        return _OF_OTHER_KIND.get(kind) or Grade(None, None, "other")
    try:
        number = float(value)
    except OverflowError:
        return _TOO_LARGE
    if number - number != 0:
        return _NAN
    if 0 <= number <= 1:
        return Grade(number, number, None)
    return Grade(number, None, "out_of_range")
