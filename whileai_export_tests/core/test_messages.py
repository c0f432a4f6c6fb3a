from typing import Any

import pytest

from whileai_export.core.messages import read_message, read_messages
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import Message, Repairs


def read(*values: Any) -> list[Message]:
    return read_messages(list(values))[0]


def mended(*values: Any) -> Repairs:
    return read_messages(list(values))[1]


def test_turns_are_read_as_they_are_with_keys_in_order():
    turns = read(
        {"content": "be brief", "role": "system"},
        {"content": "hi", "role": "user"},
        {"content": "hello", "role": "assistant"},
        {"tool_call_id": "a", "content": "ok", "name": "f", "role": "tool"},
    )
    assert turns == [
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "hello"},
        {"role": "tool", "content": "ok", "name": "f", "tool_call_id": "a"},
    ]
    assert [list(turn) for turn in turns] == [
        ["role", "content"],
        ["role", "content"],
        ["role", "content"],
        ["role", "content", "name", "tool_call_id"],
    ]
    assert mended(*turns) == {}


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("developer", "system"),
        ("System", "system"),
        ("human", "user"),
        ("USER", "user"),
        ("ai", "assistant"),
        ("model", "assistant"),
        ("Assistant", "assistant"),
        ("function", "tool"),
        ("Tool", "tool"),
    ],
)
def test_roles_by_other_names_are_mapped_and_counted(name: str, role: str):
    message = {"role": name, "content": "x"}
    assert read(message) == [{"role": role, "content": "x"}]
    assert mended(message) == {"roles_mapped": 1}
    assert read_message(message) == ([{"role": role, "content": "x"}], {"roles_mapped": 1})


@pytest.mark.parametrize(
    ("message", "problem", "at"),
    [
        ({"role": "narrator", "content": "x"}, "got 'narrator'", ".role"),
        ({"content": "x"}, "expected a role, got null", ".role"),
        ({"role": ["user"], "content": "x"}, "expected a role, got a list", ".role"),
        ("hi", "expected a message, got text", ""),
        ({"role": "user", "content": {"a": 1}}, "got an object", ".content"),
        ({"role": "system", "content": 7}, "got a number", ".content"),
        (
            {"role": "user", "content": [{"type": "input_image"}]},
            "expected a text part, got one of kind 'input_image'",
            ".content[0]",
        ),
        (
            {"role": "system", "content": [{"type": "tool_result"}]},
            "expected a text part, got one of kind 'tool_result'",
            ".content[0]",
        ),
        ({"role": "tool", "content": "x", "name": ["f"]}, "got a list", ".name"),
        ({"role": "tool", "content": "x", "tool_call_id": {"a": 1}}, "an id", ".tool_call_id"),
        ({"role": "assistant", "tool_calls": ["f"]}, "a call, got text", ".tool_calls[0]"),
        ({"role": "assistant", "content": "x", "weight": 1}, "format fireworks", ".weight"),
    ],
)
def test_what_is_no_message_is_refused_by_place(message: Any, problem: str, at: str):
    with pytest.raises(BadRow, match=problem) as refused:
        read({"role": "user", "content": "fine"}, message)
    assert refused.value.at == f"$.messages[1]{at}"


def test_messages_that_are_no_list_are_refused():
    with pytest.raises(BadRow, match="expected a list of messages, got an object"):
        read_messages({"role": "user"})


def test_no_content_of_a_user_is_empty_text_and_counted():
    assert read({"role": "user"}, {"role": "user", "content": None}) == [
        {"role": "user", "content": ""},
        {"role": "user", "content": ""},
    ]
    assert mended({"role": "user", "content": None}) == {"null_content": 1}


def test_text_parts_are_joined():
    parts = [{"type": "text", "text": "a "}, {"type": "text", "text": "b"}]
    assert read({"role": "user", "content": parts}, {"role": "tool", "content": parts}) == [
        {"role": "user", "content": "a b"},
        {"role": "tool", "content": "a b"},
    ]


def test_a_tool_result_that_is_no_text_becomes_its_json_text():
    messages = ({"role": "tool", "content": {"ok": True}}, {"role": "tool", "content": [1, 2]})
    assert [turn["content"] for turn in read(*messages)] == ['{"ok": true}', "[1, 2]"]
    assert mended(*messages) == {"results_as_json": 2}


def test_a_result_keeps_only_the_names_and_ids_that_were_recorded():
    assert read({"role": "tool", "content": "x", "name": "", "tool_call_id": None}) == [
        {"role": "tool", "content": "x"}
    ]
    assert read({"role": "tool", "content": "x", "tool_call_id": 7}) == [
        {"role": "tool", "content": "x", "tool_call_id": "7"}
    ]


def test_keys_that_a_turn_does_not_have_are_dropped_and_counted():
    messages = (
        {"role": "user", "content": "x", "name": "Ada", "timestamp": None},
        {"role": "tool", "content": "x", "status": "ok"},
        {"role": "system", "content": "x", "cache": True},
    )
    assert read(*messages) == [
        {"role": "user", "content": "x"},
        {"role": "tool", "content": "x"},
        {"role": "system", "content": "x"},
    ]
    assert mended(*messages) == {"message_keys_dropped": 3}


def test_reading_changes_no_message_it_was_given():
    def message() -> dict[str, Any]:
        return {"content": None, "role": "ai", "tool_calls": [{"name": "f", "args": "{}"}]}

    given = message()
    read(given)
    assert given == message()
