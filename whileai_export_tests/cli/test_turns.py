from __future__ import annotations

from typing import Any

from whileai_export.cli.published import Side
from whileai_export.cli.selected import Shown
from whileai_export.cli.turns import lines_of, turns

USER = {"role": "user", "content": "Hi\nthere"}
CALL = {"function": {"name": "look", "arguments": '{"at": 1}'}}


def lines(shown: Shown, width: int | None = 96) -> list[str]:
    return [line for line, _ in lines_of(shown, width)]


def row(**more: Any) -> dict[str, Any]:
    turns = [USER, {"role": "assistant", "content": "Hello"}]
    return {"messages": turns, "loss_mask": [0, 1], **more}


def test_trained_turns_are_marked_and_calls_stand_below_their_turn():
    assistant = {"role": "assistant", "content": "", "tool_calls": [CALL]}
    assert list(turns(Side("", [USER, assistant], [0, 1]), None)) == [
        "  0   user       Hi there",
        "  1 * assistant",
        '    *            -> look {"at": 1}',
    ]


def test_long_texts_are_cut():
    turn = {"role": "user", "content": "abcdef"}
    assert list(turns(Side("", [turn], [0]), 3)) == ["  0   user       abc…"]


def test_content_that_is_no_text_is_shown_as_json():
    parts = {"role": "user", "content": [{"type": "text"}]}
    nothing = {"role": "assistant", "content": None, "tool_calls": ["no call"]}
    assert list(turns(Side("", [parts, nothing], [0, 0]), None)) == [
        '  0   user       [{"type": "text"}]',
        "  1   assistant",
        "                 -> None",
    ]


def test_a_row_says_its_number_its_line_its_grade_and_its_task():
    shown = Shown(4, 6, row(reward=1.0, task="t"), rollout=2)
    assert lines(shown)[0] == "row 4  line 6  reward 1.0  task t  rollout 2"


def test_of_a_row_that_is_left_out_no_turn_is_marked():
    shown = Shown(0, 1, row(), left_out="duplicate")
    assert lines(shown)[1] == (
        "  left out of an export: an earlier row says the same; --no-dedupe takes it"
    )
    assert not any(" * " in line for line in lines(shown))


def test_of_a_row_that_is_kept_out_only_the_gate_and_the_place_are_told():
    why = {"gate": "privileged_leak", "at": "$.messages[3]", "problem": "quotes 9 characters"}
    assert lines(Shown(7, 8, kept_out=why)) == [
        "row 7  line 8  kept out: privileged_leak, $.messages[3]: quotes 9 characters"
    ]


def test_a_pair_says_which_side_is_which_and_what_each_was_worth():
    pair = {
        "prompt": [USER],
        "chosen": [{"role": "assistant", "content": "A"}],
        "rejected": [{"role": "assistant", "content": "B"}],
        "chosen_score": 1.0,
        "rejected_score": 0.4,
        "margin": 0.6,
    }
    assert lines(Shown(0, 1, pair)) == [
        "row 0  line 1  margin 0.6",
        "  chosen  score 1.0",
        "  0   user       Hi there",
        "  1 * assistant  A",
        "  rejected  score 0.4",
        "  0   user       Hi there",
        "  1 * assistant  B",
    ]


def test_a_row_with_a_label_says_it():
    completion = [{"role": "assistant", "content": "A"}]
    kto = {"prompt": [USER], "completion": completion, "label": False}
    assert lines(Shown(0, 1, kto))[0] == "row 0  line 1  label false"


def test_many_tools_stand_on_a_line_that_fits():
    tools = [{"function": {"name": f"look_up_thing_{n:02}"}} for n in range(27)]
    told = lines(Shown(0, 1, row(tools=tools)))[1]
    assert told.startswith("  27 tools: look_up_thing_00, look_up_thing_01, ")
    assert (len(told), told[-1]) == (109, "…")
    assert lines(Shown(0, 1, row(tools=tools)), None)[1].endswith(", look_up_thing_26")
