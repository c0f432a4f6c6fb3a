from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whileai_export.core.clean import strip_think
from whileai_export.core.think import Think

CLOSED = {"think_closed": 1}
NESTED = {"think_nested": 1}
UNCLOSED = {"think_unclosed": 1}
ORPHAN = {"think_orphan_close": 1}


@pytest.mark.parametrize(
    ("text", "left", "removed"),
    [
        ("<think>a</think>b", "b", CLOSED),
        ("<thinking>a</thinking>b", "b", CLOSED),
        ("<THINK>\nchecked\n</THINK>\n\nYes, until nine.", "Yes, until nine.", CLOSED),
        ("<Think>a</tHINKING>b", "b", CLOSED),
        ('<think mode="deep" n=1>a</think >b', "b", CLOSED),
        ("<think>a</think>b<think>c</think> d", "b d", {"think_closed": 2}),
        ("before <think>a</think>after", "before after", CLOSED),
        ("<think></think>b", "b", CLOSED),
        ("<think/>b", "b", CLOSED),
        ("<think>a > b and c < d</think>e", "e", CLOSED),
        ("<think>a <think>b</think> c</think>Done.", "Done.", NESTED),
        ("<think>\n<think>a</think>b", "b", CLOSED),
        ("<think>a<think/>b</think>c", "c", CLOSED),
        ("<think>a<think mode='x' />b</think>c", "c", CLOSED),
        ("x <think>a<think>b</think></think>y", "x y", NESTED),
        ("x <think><think>a</think>b</think>y", "x y", NESTED),
        ("Sure. <think>half a thought", "Sure.", UNCLOSED),
        ("Sure. <think", "Sure.", UNCLOSED),
        ("<think>a <think>b</think> c", "", UNCLOSED),
        ("thoughts here</think>\n\nThe answer.", "The answer.", ORPHAN),
        ("a</think>b</think>c", "c", {"think_orphan_close": 2}),
        ("x <think>a</think></think> y", "x  y", {**CLOSED, **ORPHAN}),
        ("<think>a</think>b</think>c", "c", {**CLOSED, **ORPHAN}),
        ("x <think>a</think>b</think>c", "c", {**CLOSED, **ORPHAN}),
        ("<think>a</think>\n\n Yes. \n", "Yes.", CLOSED),
    ],
)
def test_reasoning_is_removed_and_counted_by_kind(text, left, removed):
    assert strip_think(text) == (left, removed)


@pytest.mark.parametrize(
    "text",
    [
        "no tag at all",
        "1 < 2 and <b>bold</b>",
        "<thinker>x</thinker> <rethink>y</rethink>",
        "Write `<think>` to begin.",
        "Write ``<think>`` and `</think>`.",
        "Like so:\n```xml\n<think>\nplan\n</think>\n```\nDone.",
        "~~~\n<think>\n~~~",
        "  ` </think> `  ",
    ],
)
def test_a_tag_in_code_is_text(text):
    assert strip_think(text) == (text, {})


@pytest.mark.parametrize(
    ("text", "left", "removed"),
    [
        ("<think>a `</think>` b</think>c", "c", CLOSED),
        ("<think>```\n</think>\n```\n</think>c", "c", CLOSED),
        ("<think>a ` b</think>c", "c", CLOSED),
        ("<think>a</think>Use `<think>`.", "Use `<think>`.", CLOSED),
        ("<think>a</think>```\n<think>b\n```", "```\n<think>b\n```", CLOSED),
        ("`</think>` is a tag</think>c", "c", ORPHAN),
        # The reasoning was cut in the middle of its code: the next tag closes it all the same.
        ("<think>```py\nx = 1</think>So:\n```py\ny\n```", "So:\n```py\ny\n```", CLOSED),
        ("<think>try ```a</think>The ```b``` way", "The ```b``` way", CLOSED),
        # But a quoted tag closes nothing.
        ("<think>I should explain `</think>` tags", "", UNCLOSED),
    ],
)
def test_reasoning_and_answer_may_hold_code(text, left, removed):
    assert strip_think(text) == (left, removed)


def test_what_reasoning_leaves_behind_is_read_once_more():
    text = "</think>```\n````\n<think>```\n"
    left, removed = strip_think(text)
    assert left == "```\n````"
    assert removed == {"think_orphan_close": 1, "think_unclosed": 1}
    assert strip_think(left) == (left, {})


def test_white_space_around_a_text_stays_when_nothing_was_removed():
    assert strip_think("  <b>a</b> \n") == ("  <b>a</b> \n", {})


PARTS = st.lists(
    st.sampled_from(["<think>", "</think>", "<Thinking a='b'>", "`", "```\n", "\n", "word ", "<"])
)


@given(PARTS)
def test_stripping_twice_changes_nothing(parts):
    left, _ = strip_think("".join(parts))
    again, _ = strip_think(left)
    assert again == left


@given(PARTS)
def test_the_short_way_and_the_walk_agree(parts):
    text = "<think>" + "".join(parts)
    left, removed = strip_think(text)
    think = Think(text)
    walked = "".join(think.kept).strip()
    assert left == strip_think(walked)[0]
    assert think.removed.items() <= removed.items() or left != walked


@pytest.mark.parametrize(
    "text",
    [
        "<think>" * 50_000,
        "</think>" * 50_000,
        "<think>`</think>" * 20_000,
        "<think>```\n</think>\n" * 20_000,
        "<think " * 50_000,
        "`<think>" * 50_000,
        "<think>a</think>" * 50_000,
    ],
)
def test_many_tags_take_no_long_time(text):
    began = time.process_time()
    strip_think(text)
    assert time.process_time() - began < 3
