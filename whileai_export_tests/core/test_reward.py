import math

import pytest

from whileai_export.core.reward import grade_of


@pytest.mark.parametrize(("value", "number"), [(1, 1.0), (0, 0.0), (0.25, 0.25), (-0.0, 0.0)])
def test_a_number_from_0_to_1_is_a_grade(value: float, number: float):
    column, reward, ungraded, repairs = grade_of({"reward": value})
    assert (column, reward, ungraded, repairs) == (number, number, None, {})
    assert type(column) is type(reward) is float


@pytest.mark.parametrize("value", [-0.1, 1.5, 7])
def test_another_number_is_no_grade_but_keeps_its_value(value: float):
    assert grade_of({"reward": value}) == (float(value), None, "out_of_range", {})


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({}, "absent"),
        ({"reward": None}, "null"),
        ({"reward": True}, "bool"),
        ({"reward": "1"}, "text"),
        ({"reward": [1]}, "other"),
    ],
)
def test_what_is_no_number_is_ungraded_by_kind(row: dict[str, object], why: str):
    assert grade_of(row) == (None, None, why, {})


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_nan_is_ungraded_and_counted(value: float):
    assert grade_of({"reward": value}) == (None, None, "nan", {"nan_nulled": 1})


def test_an_integer_that_no_float_holds_is_left_out():
    assert grade_of({"reward": 10**400}) == (None, None, "out_of_range", {"rewards_left_out": 1})
