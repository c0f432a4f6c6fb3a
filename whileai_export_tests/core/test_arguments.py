import json
from datetime import date
from typing import Any

import pytest

from whileai_export.core.arguments import flaw, read_arguments
from whileai_export.shared.schema import BadArguments

LONG = "expected integers of 64 bit, got a longer one"
DEEP = "expected at most 200 levels, got more"
TWICE = "expected one value for each key, got two"


def nested(levels: int) -> dict[str, Any]:
    """An object of so many levels."""
    value: dict[str, Any] = {}
    for _ in range(levels - 1):
        value = {"a": value}
    return value


def test_an_object_is_itself():
    arguments = {"ref": "A", "n": [1, 2.5, True, None, {"deep": ["x"]}]}
    read, repairs = read_arguments(arguments)
    assert read is arguments
    assert repairs == {}


@pytest.mark.parametrize("value", [None, "", "null", {}, "{}", " null ", '""'])
def test_no_arguments_are_an_empty_object(value: object):
    assert read_arguments(value) == ({}, {})


def test_json_text_is_decoded():
    assert read_arguments('{"at": "06:00", "n": {"a": [1, 2]}}') == (
        {"at": "06:00", "n": {"a": [1, 2]}},
        {},
    )


@pytest.mark.parametrize("times", [1, 2])
def test_text_inside_text_is_decoded_and_counted(times: int):
    text = '{"ref": "A"}'
    for _ in range(times):
        text = json.dumps(text)
    assert read_arguments(text) == ({"ref": "A"}, {"nested_arguments": 1})


def test_text_encoded_four_times_is_no_object():
    text = '{"ref": "A"}'
    for _ in range(3):
        text = json.dumps(text)
    assert read_arguments(text)[0] == BadArguments(text, "expected an object, got text")


def test_text_that_looks_like_json_inside_an_object_stays_text():
    assert read_arguments('{"q": "{\\"x\\": 1}"}') == ({"q": '{"x": 1}'}, {})
    assert read_arguments({"q": '{"x": 1}'}) == ({"q": '{"x": 1}'}, {})


@pytest.mark.parametrize(
    ("value", "text", "problem"),
    [
        ([], "[]", "expected an object, got a list"),
        ([1], "[1]", "expected an object, got a list"),
        (7, "7", "expected an object, got a number"),
        (0.5, "0.5", "expected an object, got a number"),
        (True, "true", "expected an object, got true or false"),
        ("[1]", "[1]", "expected an object, got a list"),
        ("0", "0", "expected an object, got a number"),
        ("false", "false", "expected an object, got true or false"),
        ('"hello"', '"hello"', "expected an object, got text"),
        ("hello", "hello", "expected JSON, got other text at character 0"),
        ("  ", "  ", "expected JSON, got other text at character 2"),
        ("{'a': 1}", "{'a': 1}", "expected JSON, got other text at character 1"),
        ('{"a": 1,}', '{"a": 1,}', "expected JSON, got other text at character 8"),
        ('{"a": "x', '{"a": "x', "expected JSON, got other text at character 6"),
        ('```json\n{"a": 1}\n```', '```json\n{"a": 1}\n```', None),
    ],
)
def test_what_is_no_object_comes_back_as_the_text_that_came(
    value: object, text: str, problem: str | None
):
    read, repairs = read_arguments(value)
    assert isinstance(read, BadArguments)
    assert read.text == text
    assert read.problem == (problem or "expected JSON, got other text at character 0")
    assert repairs == {}


@pytest.mark.parametrize("number", [2**64 - 1, -(2**63), 2**53 + 1])
def test_integers_of_64_bit_are_exact(number: int):
    assert read_arguments({"n": number}) == ({"n": number}, {})
    assert read_arguments(f'{{"n": {number}}}') == ({"n": number}, {})


def test_a_large_float_is_no_integer():
    assert read_arguments('{"n": 1e20}') == ({"n": 1e20}, {})
    assert read_arguments({"n": -1e300}) == ({"n": -1e300}, {})


@pytest.mark.parametrize("number", [2**64, -(2**63) - 1, 10**300])
def test_a_longer_integer_is_never_rounded(number: int):
    text = f'{{"n": [{number}]}}'
    assert read_arguments(text) == (BadArguments(text, LONG), {})
    assert read_arguments({"n": [number]}) == (BadArguments(text, LONG), {})


def test_an_integer_that_python_itself_does_not_print_is_refused():
    text = f'{{"n": {"9" * 5000}}}'
    assert read_arguments(text) == (BadArguments(text, LONG), {})
    assert read_arguments({"n": 10**5000}) == (BadArguments("", LONG), {})


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"a": NaN}', "expected JSON, got NaN"),
        ('{"a": [Infinity]}', "expected JSON, got Infinity"),
        ('{"a": {"b": -Infinity}}', "expected JSON, got Infinity"),
        ('{"a": 1e999}', "expected JSON, got Infinity"),
    ],
)
def test_what_json_has_no_number_for_is_refused(text: str, problem: str):
    assert read_arguments(text) == (BadArguments(text, problem), {})
    assert read_arguments(json.loads(text))[0] == BadArguments(
        json.dumps(json.loads(text)), problem
    )


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 1}',
        '{"x": {"a": 1, "b": 2, "a": 3}}',
        '{"x": [{"a": 1}, {"a": 1, "a": 2}]}',
        '{"a" : 1, "a": ":x"}',
        '{"a": 1, "a": "\\u003a"}',
        '{"a": 1, "\\u0061": 2}',
        json.dumps('{"a": 1, "a": 2}'),
    ],
)
def test_one_key_twice_is_refused(text: str):
    read, _ = read_arguments(text)
    assert isinstance(read, BadArguments)
    assert read.text == text
    assert read.problem in (TWICE, "expected an object, got text")


@pytest.mark.parametrize(
    "text",
    ['{"at": "10:00", "u": "http://x"}', '{"a": "\\u003a"}', '{"a": "\\":\\""}', '{"a:b": ":"}'],
)
def test_colons_in_texts_are_no_keys(text: str):
    assert read_arguments(text) == (json.loads(text), {})


def test_two_hundred_levels_are_read():
    assert read_arguments(nested(200)) == (nested(200), {})
    assert read_arguments(json.dumps(nested(200))) == (nested(200), {})


@pytest.mark.parametrize("levels", [201, 600])
def test_more_levels_are_refused(levels: int):
    text = json.dumps(nested(levels))
    assert read_arguments(text) == (BadArguments(text, DEEP), {})
    assert read_arguments(nested(levels)) == (BadArguments(text, DEEP), {})


def test_a_closer_look_allows_as_many_levels():
    doubtful = {"n": 2**63, "deep": nested(199)}
    assert read_arguments(doubtful) == (doubtful, {})
    assert (flaw(nested(200)), flaw(nested(201))) == (None, DEEP)


def test_text_of_a_hundred_thousand_levels_is_refused():
    text = '{"a":' * 100_000
    assert read_arguments(text) == (BadArguments(text, DEEP), {})


def test_the_same_characters_come_back():
    assert read_arguments('{"ref": "Zo\\u00eb 北京 \\ud83c\\udfe8"}') == (
        {"ref": "Zoë 北京 🏨"},
        {},
    )


def test_lone_surrogates_in_text_are_replaced_and_counted():
    assert read_arguments('{"a": "x\\ud800", "\\udfff": 1}') == (
        {"a": "x\ufffd", "\ufffd": 1},
        {"surrogates_replaced": 2},
    )


def test_a_python_object_is_never_written_as_its_text():
    read, _ = read_arguments({"day": date(2024, 1, 1)})
    assert read == BadArguments("", "expected JSON, got a Python date")
    assert flaw({"a": [{1, 2}]}) == "expected JSON, got a Python set"
