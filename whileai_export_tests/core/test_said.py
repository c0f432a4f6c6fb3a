from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whileai_export.core.round_trip import round_trip
from whileai_export.core.said import said, said_skeleton, told
from whileai_export.shared.schema import BadArguments


def test_everything_the_assistant_said_comes_with_its_place():
    calls = [
        {
            "id": "a",
            "name": "note",
            "arguments": {"text": "t", "n": [1, {"deep": "d"}], "no": None},
        },
        {"id": "b", "name": "note", "arguments": BadArguments("{broken", "not JSON")},
    ]
    messages = [
        {"role": "user", "content": "u"},
        {"role": "assistant", "content": "c", "reasoning_content": "r", "tool_calls": calls},
        {"role": "tool", "content": "o", "tool_call_id": "a"},
    ]
    assert [(text.turn, text.at, text.text) for text in said(messages, "f")] == [
        (1, "$.messages[1].content", "c"),
        (1, "$.messages[1].reasoning_content", "r"),
        (1, "$.messages[1].tool_calls[0].arguments.text", "t"),
        (1, "$.messages[1].tool_calls[0].arguments.n[0]", "1"),
        (1, "$.messages[1].tool_calls[0].arguments.n[1].deep", "d"),
        (1, "$.messages[1].tool_calls[1].arguments", "{broken"),
        (3, "$.final_text", "f"),
    ]
    assert [(text.turn, text.text) for text in told(messages)] == [(0, "u"), (2, "o")]


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        ("<think>a</think>b", ["<think>a</think>b"]),
        ("a<think>b</think>", ["a<think>b</think>"]),
        ("vio<think>b</think>let", ["vio<think>b</think>let", "violet"]),
        ("a</think>vio<think>b</think>let", ["a</think>vio<think>b</think>let", "violet"]),
        (
            "<think>a</think>vio<think>b</think>let",
            ["<think>a</think>vio<think>b</think>let", "violet"],
        ),
    ],
)
def test_a_reply_is_also_searched_without_the_reasoning_in_its_middle(content, texts):
    turn = {"role": "assistant", "content": content}
    for messages, final_text in (([turn], None), ([], content)):
        assert [text.text for text in said(messages, final_text)] == texts
        bones = said_skeleton(messages, final_text)
        assert all(text.bones in bones for text in said(messages, final_text))


TEXTS = st.text('ab1<>/think\\n"&;[]() \u00e9\u0301\u00df\u2019', max_size=20) | st.sampled_from(
    [
        *("a<think>b</think>c", "<think>b</think>c", r"\u0041b", "x\0<think>b</think>y"),
        *("&amp;b", "<b>a</b>", "[a](b)", "<think>&lt;b</think>", "<think>a<b>", "<think>b<br>"),
    ]
)
VALUES = TEXTS | st.integers() | st.floats() | st.booleans() | st.none()
TREES = st.recursive(
    VALUES, lambda t: st.lists(t, max_size=3) | st.dictionaries(TEXTS, t, max_size=3)
)
ARGUMENTS = st.dictionaries(TEXTS, TREES, max_size=3) | TEXTS.map(lambda t: BadArguments(t, "bad"))
CALLS = st.lists(ARGUMENTS.map(lambda a: {"id": "a", "name": "f", "arguments": a}), max_size=2)
TURNS = st.builds(
    lambda role, content, rest: {"role": role, "content": content, **rest},
    st.sampled_from(["assistant", "user"]),
    TEXTS,
    st.fixed_dictionaries({}, optional={"tool_calls": CALLS, "reasoning_content": TEXTS}),
)


@given(st.lists(TURNS, max_size=4), st.none() | TEXTS)
def test_the_one_skeleton_holds_that_of_every_text(messages, final_text):
    encoded = round_trip(messages)[1]
    for bones in (
        said_skeleton(messages, final_text, encoded),
        said_skeleton(messages, final_text),
    ):
        for text in said(messages, final_text):
            assert text.bones in bones, text.at
