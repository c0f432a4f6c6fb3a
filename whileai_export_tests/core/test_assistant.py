from typing import Any

import pytest

from whileai_export.core.assistant import read_assistant
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import Message, Repairs


def turn(**value: Any) -> Message:
    (message,), _ = read_assistant({"role": "assistant", **value})
    return message


def mended(**value: Any) -> Repairs:
    return read_assistant({"role": "assistant", **value})[1]


CALL = {"id": "a", "name": "f", "arguments": {"n": 1}}


def test_text_is_a_turn():
    assert turn(content="Hello.") == {"role": "assistant", "content": "Hello."}


def test_calls_are_decoded():
    assert turn(content="Wait.", tool_calls=[CALL]) == {
        "role": "assistant",
        "content": "Wait.",
        "tool_calls": [CALL],
    }


@pytest.mark.parametrize("content", [{}, {"content": None}])
def test_no_content_beside_calls_is_empty_text(content: dict[str, Any]):
    assert turn(**content, tool_calls=[CALL])["content"] == ""
    assert mended(**content, tool_calls=[CALL]) == {}


@pytest.mark.parametrize("content", [{}, {"content": None}])
def test_no_content_without_calls_is_counted(content: dict[str, Any]):
    assert turn(**content) == {"role": "assistant", "content": ""}
    assert mended(**content, tool_calls=[]) == {"null_content": 1}


@pytest.mark.parametrize("calls", [None, []])
def test_no_calls_are_no_key(calls: Any):
    assert turn(content="x", tool_calls=calls) == {"role": "assistant", "content": "x"}
    assert mended(content="x", tool_calls=calls) == {}


def test_reasoning_stands_between_content_and_calls():
    message = turn(reasoning_content="hm", tool_calls=[CALL], content="x")
    assert message == {
        "role": "assistant",
        "content": "x",
        "reasoning_content": "hm",
        "tool_calls": [CALL],
    }
    assert list(message) == ["role", "content", "reasoning_content", "tool_calls"]


@pytest.mark.parametrize("reasoning", [None, ""])
def test_no_reasoning_is_no_key(reasoning: Any):
    assert turn(content="x", reasoning_content=reasoning) == {"role": "assistant", "content": "x"}
    assert mended(content="x", reasoning_content=reasoning) == {}


def test_reasoning_that_is_no_text_is_refused():
    with pytest.raises(BadRow) as refused:
        turn(content="x", reasoning_content={"a": 1})
    assert refused.value.at == ".reasoning_content"


def test_the_older_form_of_a_call_is_converted_and_counted():
    value: dict[str, Any] = {"content": None, "function_call": {"name": "f", "arguments": "{}"}}
    assert turn(**value) == {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"id": "", "name": "f", "arguments": {}}],
    }
    assert mended(**value) == {"function_call_converted": 1}


def test_other_keys_are_dropped_and_counted():
    value: dict[str, Any] = {"content": "x", "id": "m1", "refusal": None, "audio": {"a": 1}}
    assert turn(**value) == {"role": "assistant", "content": "x"}
    assert mended(**value) == {"message_keys_dropped": 2}


def test_blocks_are_text_reasoning_and_calls():
    blocks = [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "text", "text": "Wait."},
        {"type": "tool_use", "id": "a", "name": "f", "input": {"n": 1}},
    ]
    assert turn(content=blocks) == {
        "role": "assistant",
        "content": "Wait.",
        "reasoning_content": "hm",
        "tool_calls": [CALL],
    }


def test_calls_recorded_beside_their_blocks_are_read_once():
    blocks = [{"type": "tool_use", "id": "a", "name": "f", "input": {"n": 1}}]
    other = {"id": "b", "name": "g", "arguments": {}}
    assert turn(content=blocks, tool_calls=[CALL, other])["tool_calls"] == [CALL, other]
