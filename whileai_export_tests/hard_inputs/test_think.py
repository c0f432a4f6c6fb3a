from __future__ import annotations

import pytest

from whileai_export_tests.hard_inputs.doors import (
    GOOD,
    POOR,
    call,
    exported,
    paired,
    result,
    row,
    says,
    user,
)
from whileai_export_tests.hard_inputs.rows import shows

BLOCKS = {
    "closed": ("<think>a</think>Here.", "Here.", {"think_closed": 1}),
    "any_case": ("<Think>a</THINK>Here.", "Here.", {"think_closed": 1}),
    "several": ("<think>a</think>He<think>b</think>re.", "Here.", {"think_closed": 2}),
    "attributes": ('<think id="1">a</think>Here.', "Here.", {"think_closed": 1}),
    "nested": ("<think>a<think>b</think>c</think>Here.", "Here.", {"think_nested": 1}),
    "unclosed": ("Here.<think>a and b", "Here.", {"think_unclosed": 1}),
    "only_end": ("a and b</think>Here.", "Here.", {"think_orphan_close": 1}),
    "fenced": ("```\n<think>a</think>\n```", "```\n<think>a</think>\n```", {}),
    "quoted": ("Write `<think>` first.", "Write `<think>` first.", {}),
}


@shows("think-closed", "think-nested", "think-unclosed", "think-only-end", "think-code")
@shows("think-counted")
@pytest.mark.parametrize(("text", "left", "repairs"), BLOCKS.values(), ids=BLOCKS)
def test_reasoning_is_removed_and_counted_by_kind(tmp_path, text, left, repairs):
    rows, report = exported(tmp_path, row(says(text)))
    assert rows[0]["messages"][1]["content"] == left
    assert report["repairs"] == repairs
    rows, report = exported(tmp_path, row(says(text)), strip_think=False)
    assert (rows[0]["messages"][1]["content"], report["repairs"]) == (text, {})


@shows("think-closed")
def test_pairs_are_stripped_on_both_sides(tmp_path):
    rows = [
        {**made, "messages": [user("Where?"), says(f"<think>a</think>{text}")]}
        for made, text in ((GOOD, "Here."), (POOR, "There."))
    ]
    assert paired(tmp_path, *rows)["repairs"] == {"think_closed": 2}


@shows("think-untouched")
def test_what_others_wrote_is_never_touched(tmp_path):
    tag = "<think>a</think>b"
    talk = row(user(tag), says("", call({"q": tag})), result(tag), says("Here."))
    rows, report = exported(tmp_path, talk)
    turns = rows[0]["messages"]
    assert [turns[1]["content"], turns[3]["content"]] == [tag, tag]
    assert turns[2]["tool_calls"][0]["function"]["arguments"] == '{"q":"<think>a</think>b"}'
    assert report["repairs"] == {}
