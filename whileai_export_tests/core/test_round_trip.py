from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whileai_export.core.round_trip import round_trip
from whileai_export.shared.schema import BadArguments


def asks(*arguments) -> dict:
    calls = [{"id": "a", "name": "f", "arguments": one} for one in arguments]
    return {"role": "assistant", "content": "", "tool_calls": calls}


def test_every_call_comes_back_and_its_text_is_made_once():
    messages = [{"role": "user", "content": "u"}, asks({"a": 1}, {}), asks({"b": [None, "\u00e9"]})]
    assert round_trip(messages) == ([], ['{"a":1}', "{}", '{"b":[null,"\u00e9"]}'])


def test_a_conversation_without_calls_has_nothing_to_check():
    assert round_trip([{"role": "user", "content": "u"}]) == ([], [])


def test_arguments_that_are_no_object_are_found_at_their_place():
    bad = BadArguments("[1, 2]", "expected an object, got a list")
    findings, texts = round_trip([{"role": "user", "content": "u"}, asks({"a": 1}, bad)])
    assert [(f.gate, f.at, f.problem) for f in findings] == [
        (
            "tool_call_roundtrip",
            "$.messages[1].tool_calls[1].arguments",
            "expected an object, got a list",
        )
    ]
    assert texts == ['{"a":1}', "[1, 2]"]


@pytest.mark.parametrize(
    "arguments",
    [{"a": float("nan")}, {"a": 2**70}, {"a": "\ud800"}, {"a": {1}}, {1: "a"}, {"a": (1, 2)}],
)
def test_what_json_changes_or_cannot_say_is_found(arguments):
    findings, texts = round_trip([asks(arguments)])
    assert [finding.at for finding in findings] == ["$.messages[0].tool_calls[0].arguments"]
    assert len(texts) == 1


LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.text()
    | st.floats(allow_nan=False, allow_infinity=False)
)
TREES = st.recursive(
    LEAVES, lambda tree: st.lists(tree) | st.dictionaries(st.text(), tree), max_leaves=10
)


@given(st.dictionaries(st.text(), TREES))
def test_any_object_survives(arguments):
    findings, [text] = round_trip([asks(arguments)])
    assert findings == []
    assert json.loads(text) == arguments


def test_one_bad_call_of_many_is_named_by_its_place():
    bad = BadArguments("[1]", "expected an object, got a list")
    findings, texts = round_trip([asks({"a": 1}), asks({"b": 2}, bad)])
    assert [(f.at, f.problem) for f in findings] == [
        ("$.messages[1].tool_calls[1].arguments", "expected an object, got a list")
    ]
    assert texts == ['{"a":1}', '{"b":2}', "[1]"]


def test_texts_with_line_ends_stay_whole():
    messages = [asks({"a": "x\ny\u2028z"}, {"b": "\r\n"})]
    assert round_trip(messages) == ([], ['{"a":"x\\ny\u2028z"}', '{"b":"\\r\\n"}'])
