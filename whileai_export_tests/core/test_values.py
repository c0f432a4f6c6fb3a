from collections import OrderedDict
from datetime import date
from enum import IntEnum
from typing import Any

import pytest

from whileai_export.core.values import (
    depth_of,
    json_of,
    kind_of,
    placed,
    settle,
    shown,
    without_nan,
)
from whileai_export.shared.errors import BadRow


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ({}, "an object"),
        ([], "a list"),
        ("x", "text"),
        (True, "true or false"),
        (1, "a number"),
        (0.5, "a number"),
        (None, "null"),
        (date(2024, 1, 1), "a Python date"),
    ],
)
def test_kinds_are_named_in_the_words_of_json(value: object, kind: str):
    assert kind_of(value) == kind


def test_a_short_plain_name_is_shown():
    assert shown("image_url") == "'image_url'"


@pytest.mark.parametrize("name", ["x" * 41, "naïve", "a b", "", 7])
def test_a_name_that_may_be_private_is_not_shown(name: object):
    assert shown(name) == kind_of(name)


def test_a_problem_is_placed_from_further_out():
    bad = placed(placed(BadRow("expected text", ".name"), ".tool_calls[0]"), "$.messages[2]")
    assert (bad.problem, bad.at) == ("expected text", "$.messages[2].tool_calls[0].name")


def test_a_settled_row_is_itself():
    row = {"a": [1, 2.5, None, True, "ß"], "b": {"c": {}}}
    settled, repairs = settle(row)
    assert settled is row
    assert repairs == {}


def test_lone_surrogates_are_replaced_and_counted_in_keys_too():
    assert settle({"a\ud800": ["x\udfff", "fine"]}) == (
        {"a\ufffd": ["x\ufffd", "fine"]},
        {"surrogates_replaced": 2},
    )


def test_surrogates_that_are_a_pair_are_one_character():
    assert settle(["\ud83c\udfe8"]) == (["🏨"], {})


def test_tuples_and_other_mappings_become_what_json_has():
    class Level(IntEnum):
        LOW = 1

    settled, repairs = settle(OrderedDict(a=(1, Level.LOW), b={"c": ()}))
    assert settled == {"a": [1, 1], "b": {"c": []}}
    assert type(settled) is dict
    assert type(settled["a"][1]) is int
    assert repairs == {}


def test_numbers_that_json_cannot_hold_are_left_for_whoever_meets_them():
    row = {"a": float("inf"), "b": 2**70}
    assert settle(row)[0] is row


@pytest.mark.parametrize(
    ("row", "problem", "at"),
    [
        ({"a": [date(2024, 1, 1)]}, "expected JSON, got a Python date", "$.a[0]"),
        ({"a": {"b": {1}}}, "expected JSON, got a Python set", "$.a.b"),
        ({"a": b"x"}, "expected JSON, got a Python bytes", "$.a"),
        ({"a": {1: "x"}}, "expected text for a key, got a number", "$.a"),
        ({"not a name": {1}}, "expected JSON, got a Python set", "$.*"),
        ({"n" * 40: {1}}, "expected JSON, got a Python set", "$." + "n" * 40),
        ({"n" * 41: {1}}, "expected JSON, got a Python set", "$.*"),
        (dict.fromkeys(["\ud800", "\ud801"]), "expected one value for a key, got two", "$"),
    ],
)
def test_a_python_object_is_refused_by_type_and_place(row: object, problem: str, at: str):
    with pytest.raises(BadRow) as refused:
        settle(row)
    assert (refused.value.problem, refused.value.at) == (problem, at)


def test_one_part_that_must_change_is_changed_whatever_stands_beside_it():
    assert settle({"a": "fine", "b": ["fine", "\ud800"], "c": 1}) == (
        {"a": "fine", "b": ["fine", "\ufffd"], "c": 1},
        {"surrogates_replaced": 1},
    )


def test_numbers_of_other_libraries_become_plain_ones():
    class Float(float): ...

    class Int(int): ...

    settled, _ = settle({"a": Float(1.5), "b": [Int(2)]})
    assert settled == {"a": 1.5, "b": [2]}
    assert (type(settled["a"]), type(settled["b"][0])) == (float, int)


def test_numbers_in_a_tuple_are_settled_as_they_are():
    assert settle({"a": (1.5, 2, True, None)}) == ({"a": [1.5, 2, True, None]}, {})


def test_two_hundred_levels_are_settled():
    value = nested(200)
    assert settle(value)[0] is value


@pytest.mark.parametrize("levels", [201, 100_000])
def test_a_deeper_value_is_refused(levels: int):
    with pytest.raises(BadRow, match="expected at most 200 levels, got more"):
        settle(nested(levels))


def test_a_whole_row_may_be_deeper():
    value = nested(254)
    assert settle(value, 254)[0] is value
    with pytest.raises(BadRow, match="expected at most 254 levels, got more"):
        settle(nested(255), 254)


def test_depth_counts_objects_and_lists():
    assert depth_of({"a": [{"b": 1}], "c": []}) == 3
    assert depth_of("text") == 0


def test_null_stands_for_what_is_no_number():
    assert without_nan({"a": [float("nan"), 1.5], "b": float("-inf"), "c": 2**70}) == (
        {"a": [None, 1.5], "b": None, "c": 2**70},
        2,
    )


def test_json_text_keeps_its_integers():
    assert json_of("[18446744073709551616]") == [2**64]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"a": 1, "a": 2}', "expected one value for each key, got two"),
        ('{"a": 1,}', "expected JSON, got other text at character 8"),
        ("[" * 100_000, "expected at most 200 levels, got more"),
        ("9" * 5000, "expected integers of 64 bit, got a longer one"),
    ],
)
def test_json_text_that_cannot_be_read_says_why(text: str, problem: str):
    with pytest.raises(ValueError, match=problem):
        json_of(text)
