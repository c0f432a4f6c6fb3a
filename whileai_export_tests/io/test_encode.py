"""Bytes: JSON that every reader splits at the same places, and rows kept as they came."""

from __future__ import annotations

import datetime
import json

import orjson
import pytest

from whileai_export.io.encode import dumps, escape_separators, raw_json
from whileai_export.shared.errors import BadRow


def test_values_are_written_without_white_space():
    assert dumps({"a": [1, 0.5, None, True], "b": "café"}) == (
        b'{"a":[1,0.5,null,true],"b":"caf\xc3\xa9"}'
    )


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (2**64, "Integer exceeds 64-bit range"),
        ({"a": [-(2**63) - 1]}, "Integer exceeds 64-bit range"),
        ({1: 2}, "Dict key must be str"),
        ({"a": {1}}, "Type is not JSON serializable: set"),
        ("x\ud800y", "str is not valid UTF-8: surrogates not allowed"),
    ],
)
def test_what_json_cannot_hold_is_a_bad_row(value, problem):
    with pytest.raises(BadRow) as caught:
        dumps(value)
    assert caught.value.problem == f"expected values that JSON can hold, got another: {problem}"


def test_no_depth_is_a_recursion_error():
    with pytest.raises(BadRow):
        dumps(nested(5000))


def test_the_three_separators_are_escaped_and_nothing_else():
    block = dumps({"a": "x\u2028y\u2029z\u0085w", "b": "é“”\u2027\u202a\u0084\u0086\U0001f600"})
    found = escape_separators(block)
    assert found == (
        rb'{"a":"x\u2028y\u2029z\u0085w","b":"'
        + "é“”\u2027\u202a\u0084\u0086\U0001f600".encode()
        + b'"}'
    )
    assert orjson.loads(found) == orjson.loads(block)
    assert len(found.decode().splitlines()) == 1


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\u0085"])
def test_each_separator_is_escaped_where_it_stands_alone(separator: str):
    block = dumps({"a": f"x{separator}y"})
    assert escape_separators(block) == b'{"a":"x\\u%04xy"}' % ord(separator)


def test_a_block_without_separators_is_handed_back():
    for block in (b'{"a":1}\n', '{"a":"é"}\n'.encode()):
        assert escape_separators(block) is block


def test_a_readable_row_is_kept_as_it_came():
    assert raw_json({"line": 4}, "source", b'{"b": 1,  "a": 1e2}') == (
        b'{"line":4,"source":{"b": 1,  "a": 1e2}}\n'
    )
    assert raw_json({}, "source", b"[1]") == b'{"source":[1]}\n'


@pytest.mark.parametrize(
    "line",
    [
        b'{"a": [1, 2',
        b'{"a": "caf\xe9"}',
        b'{"a": 1}{"b": 2}',
        b'{"a": NaN}',
        b"",
        b'{"a":"\\ud800"}',
    ],
)
def test_a_line_that_is_no_json_can_be_had_back_from_its_text(line):
    found = raw_json({"line": 4}, "source", line)
    assert found.count(b"\n") == 1
    assert json.loads(found)["source"].encode(errors="surrogateescape") == line


def nested(levels: int) -> list[object]:
    value: list[object] = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ({"a": 1}, {"a": 1}),
        ({"a": 2**70}, {"a": 2**70}),
        ({"a": "x\ud800"}, {"a": "x\ud800"}),
        ({"a": {7}}, {"a": "{7}"}),
        (
            {"a": {7}, "when": datetime.date(2024, 1, 2)},
            {"a": "{7}", "when": "datetime.date(2024, 1, 2)"},
        ),
        (7, 7),
        ({("a",): 1}, "<dict>"),
        ({"a": {7}, "n": float("nan")}, "<dict>"),
        (nested(100_000), "<list>"),
    ],
)
def test_a_row_in_memory_is_kept_as_well_as_json_can(value, kept):
    assert json.loads(raw_json({"line": None}, "source", value)) == {"line": None, "source": kept}
