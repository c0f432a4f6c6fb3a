from __future__ import annotations

import pytest

from whileai_export.core.clean import cap_output, capped, strip_think, without_think


def test_a_text_without_a_tag_is_handed_back():
    text = "no tag, `no` work"
    assert strip_think(text)[0] is text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<think>hm</think>\n\nYes. \n", "Yes."),
        ("<think>hm `</think>` hm</think> Yes.", "Yes."),
        ("<think>~~~\n</think>\n~~~\n</think> Yes.", "Yes."),
        ("<think>hm <think>so</think> hm</think> Yes.", "Yes."),
        ("Yes <think>hm</think>\n", "Yes"),
    ],
)
def test_what_is_left_of_a_text_begins_and_ends_with_what_is_shown(text, left):
    assert strip_think(text)[0] == left


def test_only_assistant_turns_lose_their_reasoning():
    messages = [
        {"role": "user", "content": "What does <think>x</think> mean?"},
        {"role": "assistant", "content": "<think>hm</think>A tag.", "reasoning_content": "hm"},
        {"role": "tool", "content": "<think>log</think>", "tool_call_id": "a"},
        {"role": "assistant", "content": "half <think>cut"},
    ]
    before = [dict(message) for message in messages]
    cleaned, repairs = without_think(messages)
    assert cleaned == [
        messages[0],
        {"role": "assistant", "content": "A tag."},
        messages[2],
        {"role": "assistant", "content": "half"},
    ]
    assert repairs == {"think_closed": 1, "think_unclosed": 1, "reasoning_content_dropped": 1}
    assert messages == before


def test_arguments_keep_their_tags():
    call = {"id": "a", "name": "note", "arguments": {"text": "<think>x</think>"}}
    messages = [{"role": "assistant", "content": "<think>y</think>", "tool_calls": [call]}]
    assert without_think(messages)[0] == [
        {"role": "assistant", "content": "", "tool_calls": [call]}
    ]


def test_turns_without_reasoning_are_the_same_objects():
    messages = [{"role": "assistant", "content": "a < b"}, {"role": "user", "content": "<think>"}]
    cleaned, repairs = without_think(messages)
    assert cleaned is messages
    assert repairs == {}


@pytest.mark.parametrize(
    ("text", "limit", "left", "cut"),
    [
        ("moved", 5, "moved", 0),
        ("moved", 4, "move\n[... 1 chars of tool output truncated]", 1),
        ("moved", 0, "\n[... 5 chars of tool output truncated]", 5),
        ("", 0, "", 0),
        ("\U0001f511\U0001f511", 1, "\U0001f511\n[... 1 chars of tool output truncated]", 1),
    ],
)
def test_a_long_output_is_cut_with_a_marker(text, limit, left, cut):
    assert cap_output(text, limit) == (left, cut)


def test_only_tool_turns_are_capped():
    messages = [
        {"role": "user", "content": "a long question"},
        {"role": "tool", "content": "a long output", "tool_call_id": "a"},
        {"role": "tool", "content": "short", "tool_call_id": "b"},
    ]
    shortened, cuts = capped(messages, 6)
    assert shortened == [
        messages[0],
        {
            "role": "tool",
            "content": "a long\n[... 7 chars of tool output truncated]",
            "tool_call_id": "a",
        },
        messages[2],
    ]
    assert cuts == [0, 7, 0]
    assert messages[1]["content"] == "a long output"


def test_turns_within_the_limit_are_the_same_objects():
    messages = [{"role": "tool", "content": "short", "tool_call_id": "b"}]
    shortened, cuts = capped(messages, 5)
    assert shortened is messages
    assert cuts == []
