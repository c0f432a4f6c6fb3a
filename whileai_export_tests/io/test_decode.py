"""One line to one row: exact values, and errors that say what came."""

from __future__ import annotations

import json
import math
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whileai_export.io.decode import decode
from whileai_export.io.lines import TooLong
from whileai_export.shared.errors import BadRow


def refusal(line: bytes) -> str:
    with pytest.raises(BadRow) as caught:
        decode(line)
    assert caught.value.at == "$"
    return caught.value.problem


def nested(levels: int, opening: str = '{"a":', closing: str = "}", core: str = "{}") -> bytes:
    return (opening * (levels - 1) + core + closing * (levels - 1)).encode()


def test_a_plain_row_is_read_and_not_suspect():
    assert decode(b'{"prompt": "hi", "n": [1, 2.5, null, true]}') == (
        {"prompt": "hi", "n": [1, 2.5, None, True]},
        False,
    )


@pytest.mark.parametrize(
    "number",
    """9223372036854775807 -9223372036854775808 18446744073709551615 12345678901234567
    0.1234567890123456789 123456789012345678.5""".split(),
)
def test_a_number_that_fits_keeps_its_value(number):
    row, _ = decode(f'{{"x":{number}}}'.encode())
    assert row == {"x": json.loads(number)}


@pytest.mark.parametrize("shift", range(12))
@pytest.mark.parametrize(
    "number",
    [
        18446744073709551616,
        -9223372036854775809,
        99999999999999999999,
        123456789012345678901234567890,
    ],
)
def test_an_integer_past_64_bit_is_never_rounded(number, shift):
    line = f'{{"{"p" * shift}": {{"x": {number}}}, "y": [{number}]}}'.encode()
    assert decode(line) == ({"p" * shift: {"x": number}, "y": [number]}, True)


def test_long_digits_in_text_change_nothing():
    row, _ = decode(b'{"card": "12345678901234567890123", "f": 0.30000000000000004}')
    assert row == {"card": "12345678901234567890123", "f": 0.30000000000000004}


@pytest.mark.parametrize(
    "line",
    [
        b'{"a": 1, "a": 2}',
        b'{"a": 1, "a": 1}',
        b'{"a":1,"a":1}',
        b'{"x": [{"secret": 1, "b": {}, "secret": {"c": 2}}]}',
        b'{"a": "x:y", "a": NaN}',
        b'{"a": "\\u003a\\u003a", "b": 1, "b": 2}',
        b'{"a": "\\u003A", "b": 1, "b": 2}',
    ],
)
def test_two_values_for_one_key_are_no_row_and_the_key_is_not_named(line):
    expected = "expected one value for every key, got an object with two values for one key"
    assert refusal(line) == expected


def test_an_escaped_colon_is_no_second_value():
    assert decode(b'{"a": "\\u003a", "b:c": ":"}') == ({"a": ":", "b:c": ":"}, True)


def test_nan_and_infinity_are_left_for_whoever_meets_them():
    row, suspect = decode(b'{"a": NaN, "b": [Infinity, -Infinity], "c": 1e999, "d": -1e999}')
    assert suspect
    assert math.isnan(row.pop("a"))
    assert row == {"b": [math.inf, -math.inf], "c": math.inf, "d": -math.inf}


def test_lone_surrogates_are_left_to_settle():
    assert decode(b'{"a": "x\\ud800y", "b": "\\ud83d\\ude00"}') == (
        {"a": "x\ud800y", "b": "\U0001f600"},
        True,
    )


@pytest.mark.parametrize(
    ("line", "got"),
    [
        (b'{"a": [1, 2', "a torn line (it ends inside a value, after 11 characters)"),
        (b'{"a": "unfinis', "a torn line (it ends inside a value, after 14 characters)"),
        (b'{"a"', "a torn line (it ends inside a value, after 4 characters)"),
        (b'{"a": 1}{"b": 2}', "two objects"),
        (b'{"a": 1} {"b": 2}', "two objects"),
        (b'{"a": 1},', "more after its end"),
        (b'{"a": 1} tail', "more after its end"),
        (b'{"a": "caf\xe9"}', "invalid UTF-8 at byte 11"),
        (b'{"a": "\xed\xa0\x80"}', "invalid UTF-8 at byte 8"),
        (b"{'a': 1}", "text that is not JSON (from character 2)"),
        (b"prompt,reward", "text that is not JSON (from character 1)"),
        (b'{"a": "tab\there"}', "text that is not JSON (from character 11)"),
        (b"[1]", "a list"),
        (b'[{"a": 1}]', "a list"),
        (b'"text"', "text"),
        (b"7", "a number"),
        (b"1.5", "a number"),
        (b"true", "true"),
        (b"false", "false"),
        (b"null", "null"),
        (b"NaN", "a number"),
        (
            b"[",
            "the start of a list (a .jsonl file holds one object a line, and no list around them)",
        ),
    ],
)
def test_what_is_no_row_is_told_by_its_kind(line, got):
    assert refusal(line) == f"expected one JSON object on the line, got {got}"


def test_no_text_of_the_line_enters_the_error():
    assert "swordfish" not in refusal(b'{"privileged": "swordfish", "x": oops}')


@pytest.mark.parametrize(
    ("opening", "closing", "core"),
    [('{"a":', "}", "{}"), ('{"a":', "}", "[]"), ('{"a":', "}", '{"n": NaN}')],
)
def test_254_levels_are_a_row_and_one_more_is_not(opening, closing, core):
    row, _ = decode(nested(254, opening, closing, core))
    for _ in range(253):
        row = row["a"]
    assert len(row) < 2
    assert refusal(nested(255, opening, closing, core)) == (
        "expected at most 254 levels, got a deeper row"
    )


def test_lists_count_as_levels():
    decode(b'{"a":' + nested(253, "[", "]", "[]") + b"}")
    assert refusal(b'{"a":' + nested(254, "[", "]", "[]") + b"}") == (
        "expected at most 254 levels, got a deeper row"
    )


@pytest.mark.parametrize("levels", [255, 1100, 100_000])
def test_no_depth_is_a_recursion_error(levels):
    assert refusal(nested(levels)) == "expected at most 254 levels, got a deeper row"


def test_a_number_of_five_thousand_digits_is_refused():
    assert refusal(b'{"a": ' + b"7" * 5000 + b"}") == (
        "expected numbers of at most 4300 digits, got a longer one"
    )


def test_a_line_that_was_too_long_is_no_row():
    assert refusal(TooLong()) == (
        "expected a line of at most max_row_bytes bytes, got a longer one"
    )


def test_threads_do_not_disturb_each_other():
    lines = [f'{{"n": {n}, "text": "{":" * (n % 7)}"}}'.encode() for n in range(2000)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(decode, lines))
    assert [(row["n"], suspect) for row, suspect in found] == [(n, False) for n in range(2000)]


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=60, deadline=None)
@given(row=st.dictionaries(st.text(), values, max_size=5), ascii_only=st.booleans())
def test_a_row_that_json_wrote_comes_back_as_it_was(row, ascii_only):
    line = json.dumps(row, ensure_ascii=ascii_only).encode(errors="replace")
    expected = json.loads(line)
    found, _ = decode(line)
    assert found == expected
    assert json.dumps(found) == json.dumps(expected)
