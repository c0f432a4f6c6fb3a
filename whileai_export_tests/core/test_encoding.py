from __future__ import annotations

import pytest

from whileai_export.core.encoding import encode_arguments, problem_on_wire, wire_messages
from whileai_export.shared.schema import BadArguments

MESSAGES = [
    {"role": "user", "content": "go"},
    {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"id": "a", "name": "note", "arguments": {"n": 1, "é": None}}],
    },
]


def test_arguments_are_json_text_where_consumers_read_text():
    assert encode_arguments({"n": 1, "é": None}, "openai") == '{"n":1,"é":null}'
    assert encode_arguments({}, "fireworks") == "{}"


def test_arguments_are_objects_elsewhere():
    assert encode_arguments({"n": 1}, "trl") == {"n": 1}
    assert encode_arguments({"n": 1}, "kto") == {"n": 1}


def test_what_is_no_object_stays_the_text_that_came():
    assert encode_arguments(BadArguments("7]", "no object"), "openai") == "7]"
    assert encode_arguments(BadArguments("7]", "no object"), "trl") == "7]"


def test_a_call_on_the_wire_has_id_type_and_function():
    assert wire_messages(MESSAGES, "openai")[1]["tool_calls"] == [
        {
            "id": "a",
            "type": "function",
            "function": {"name": "note", "arguments": '{"n":1,"é":null}'},
        }
    ]


def test_text_that_is_at_hand_is_used():
    wire = wire_messages(MESSAGES, "openai", ['{"known": 1}'])
    assert wire[1]["tool_calls"][0]["function"]["arguments"] == '{"known": 1}'


def test_text_that_is_at_hand_is_no_object():
    wire = wire_messages(MESSAGES, "trl", ['{"known": 1}'])
    assert wire[1]["tool_calls"][0]["function"]["arguments"] == {"n": 1, "é": None}


def test_the_messages_themselves_do_not_change():
    wire_messages(MESSAGES, "openai")
    assert MESSAGES[1]["tool_calls"][0] == {
        "id": "a",
        "name": "note",
        "arguments": {"n": 1, "é": None},
    }


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ('{"a": 1}', None),
        ({"a": 1}, None),
        ("[1]", "expected an object, got list"),
        ('"{}"', "expected an object, got str"),
        ("7]", "expected JSON text of an object, got text that is no JSON"),
        (None, "expected JSON text of an object, got null"),
        (7, "expected JSON text of an object, got int"),
    ],
)
def test_text_formats_want_json_text_of_an_object(arguments, problem):
    assert problem_on_wire(arguments, objects=False) == problem


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [({"a": 1}, None), ('{"a": 1}', "expected an object, got str")],
)
def test_object_formats_want_the_object(arguments, problem):
    assert problem_on_wire(arguments, objects=True) == problem
