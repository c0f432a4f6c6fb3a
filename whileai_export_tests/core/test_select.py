from __future__ import annotations

import pytest

from whileai_export.core.select import ended, ends_open, left_out, trimmed
from whileai_export.shared.options import Selection
from whileai_export_tests.builders import chat_row, trajectory
from whileai_export_tests.core.turns import assistant, tool, user


@pytest.mark.parametrize(
    ("row", "selection", "reason"),
    [
        (chat_row(reward=0.0), Selection(), None),
        (chat_row(reward=0.4), Selection(min_reward=0.5), "min_reward"),
        (chat_row(reward=0.5 - 1e-12), Selection(min_reward=0.5), None),
        (chat_row(reward=None), Selection(min_reward=0.0), "ungraded"),
        (chat_row(finish_reason="length"), Selection(drop_failed=True), "cut"),
        (chat_row(finish_reason="error"), Selection(drop_failed=True), "failed"),
        (chat_row(reply="<agent error: no model>"), Selection(drop_failed=True), "failed"),
        (chat_row(finish_reason="length"), Selection(), None),
        (chat_row(finish_reason="length", reward=0.0), Selection(0.5, True), "cut"),
    ],
)
def test_a_row_is_left_out_for_one_reason(row, selection, reason):
    assert left_out(trajectory(row), selection) == reason


def test_a_bad_end_is_a_cut_or_a_failure():
    assert [ended(finish) for finish in ("length", "error")] == ["cut", "failed"]


def test_turns_after_the_last_assistant_turn_are_trimmed():
    turns = [user("a"), assistant("b"), tool("c"), user("d"), user("e")]
    for end in (3, 4, 5):
        assert trimmed(turns[:end]) == turns[:2]


def test_a_conversation_without_an_assistant_stays_whole():
    turns = [user("a"), user("b")]
    assert trimmed(turns) is turns


def test_a_conversation_that_ends_on_an_assistant_turn_stays_whole():
    turns = [user("a"), assistant("b")]
    assert trimmed(turns) is turns


def test_a_conversation_ends_open_on_a_tool_result_or_a_user_turn():
    assert [ends_open([turn]) for turn in (tool("c"), user("d"), assistant("b"))] == [
        True,
        True,
        False,
    ]
    assert ends_open([assistant("b"), user("d")])
    assert not ends_open([user("d"), assistant("b")])
    assert not ends_open([])
