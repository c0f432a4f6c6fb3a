from typing import Any

import pytest

from whileai_export.core.anthropic import answered_in_blocks, has_blocks, said_in_blocks
from whileai_export.shared.errors import BadRow

TEXT = {"type": "text", "text": "Wait."}
THOUGHT = {"type": "thinking", "thinking": "hm", "signature": "s"}
USE = {"type": "tool_use", "id": "a", "name": "f", "input": {"n": 1}}
RESULT = {"type": "tool_result", "tool_use_id": "a", "content": "ok"}


@pytest.mark.parametrize("block", [THOUGHT, USE, RESULT, {"type": "redacted_thinking"}])
def test_blocks_are_known_by_their_kind(block: Any):
    assert has_blocks([TEXT, block])


def test_parts_of_text_are_no_blocks():
    assert not has_blocks([TEXT, "x", {"type": ["thinking"]}, {"type": "image"}])


def test_an_assistant_turn_is_text_reasoning_and_calls():
    said = said_in_blocks([THOUGHT, TEXT, USE, {**THOUGHT, "thinking": "so"}])
    assert said.text == "Wait."
    assert said.reasoning == "hm\n\nso"
    assert said.calls == [{"id": "a", "name": "f", "arguments": {"n": 1}}]
    assert said.repairs == {"anthropic_blocks": 4}


def test_redacted_thinking_is_left_out_and_counted():
    said = said_in_blocks([{"type": "redacted_thinking", "data": "x"}, TEXT])
    assert (said.text, said.reasoning) == ("Wait.", "")
    assert said.repairs == {"anthropic_blocks": 2, "redacted_thinking_left_out": 1}


def test_results_become_tool_messages_before_the_text_beside_them():
    turns, repairs = answered_in_blocks([TEXT, RESULT, {**RESULT, "tool_use_id": "b"}])
    assert turns == [
        {"role": "tool", "content": "ok", "tool_call_id": "a"},
        {"role": "tool", "content": "ok", "tool_call_id": "b"},
        {"role": "user", "content": "Wait."},
    ]
    assert repairs == {"anthropic_blocks": 3}


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "ab"),
        ({"n": 1}, '{"n": 1}'),
        ("", ""),
        ([], "[]"),
    ],
)
def test_the_content_of_a_result_is_text(content: Any, text: str):
    (turn,), _ = answered_in_blocks([{**RESULT, "content": content}])
    assert turn["content"] == text


def test_a_result_without_content_is_empty_text():
    assert answered_in_blocks([{"type": "tool_result", "tool_use_id": "a"}]) == (
        [{"role": "tool", "content": "", "tool_call_id": "a"}],
        {"anthropic_blocks": 1},
    )


def test_an_error_flag_has_no_place_in_a_turn_and_is_counted():
    assert answered_in_blocks([{**RESULT, "is_error": True}])[1] == {
        "anthropic_blocks": 1,
        "error_flags_left_out": 1,
    }


@pytest.mark.parametrize(
    ("block", "problem", "at"),
    [
        ({"type": "image", "source": {}}, "one of kind 'image'", ".content[1]"),
        (RESULT, "expected a tool_result in a user turn", ".content[1]"),
        ({"type": "thinking"}, "expected text, got null", ".content[1].thinking"),
        ({"type": "tool_use", "input": {}}, "the name of a tool, got null", ".content[1].name"),
    ],
)
def test_what_no_assistant_says_is_refused_by_place(block: Any, problem: str, at: str):
    with pytest.raises(BadRow, match=problem) as refused:
        said_in_blocks([TEXT, block])
    assert refused.value.at == at


@pytest.mark.parametrize(
    ("block", "problem", "at"),
    [
        ({"type": "document"}, "one of kind 'document'", ".content[1]"),
        (USE, "expected a tool_use in an assistant turn", ".content[1]"),
        (THOUGHT, "expected a thinking in an assistant turn", ".content[1]"),
        ({**RESULT, "content": [{"type": "image"}]}, "of kind 'image'", ".content[1].content[0]"),
        ({**RESULT, "tool_use_id": []}, "expected an id, got a list", ".content[1].tool_use_id"),
    ],
)
def test_what_no_user_says_is_refused_by_place(block: Any, problem: str, at: str):
    with pytest.raises(BadRow, match=problem) as refused:
        answered_in_blocks([TEXT, block])
    assert refused.value.at == at
