from __future__ import annotations

import pytest

from whileai_export.pipeline.sides import ask_of, cleaned, completes, read_pair, reply_length
from whileai_export.shared.errors import BadRow
from whileai_export_tests.builders import chat_row, job, steps_row
from whileai_export_tests.core.turns import assistant, tool, user

ASK, GOOD, BAD = user("go"), [assistant("Done.")], [assistant("No.")]


def texts(raw: object) -> list[list[str]]:
    return [[m["content"] for m in side.messages] for side in read_pair(raw, job()).sides]


def test_a_side_is_a_row_of_any_shape():
    pair = {"chosen": steps_row(ask="a", reply="b"), "rejected": chat_row("a", "c")}
    assert texts(pair) == [["a", "", '{"at": "depot"}', "b"], ["a", "c"]]


def test_a_side_is_a_list_of_messages_after_the_prompt():
    assert texts({"prompt": [ASK], "chosen": GOOD, "rejected": BAD}) == [
        ["go", "Done."],
        ["go", "No."],
    ]
    assert texts({"prompt": "go", "chosen": [ASK, *GOOD], "rejected": [ASK, *BAD]}) == [
        ["go", "Done."],
        ["go", "No."],
    ]


def test_lists_of_messages_share_tools_and_privileged_block():
    tools = [{"type": "function", "function": {"name": "f"}}]
    pair = read_pair(
        {"chosen": GOOD, "rejected": BAD, "tools": tools, "privileged": {"n": 1}}, job()
    )
    assert [(side.tools, side.privileged) for side in pair.sides] == [(tools, {"n": 1})] * 2


def test_what_was_said_of_a_pair_is_kept_beside_it():
    pair = read_pair({"chosen": GOOD, "rejected": BAD, "margin": 0.5, "tags": ("a",)}, job())
    assert pair.given == {"margin": 0.5, "tags": ["a"]}


def test_a_line_is_read_as_an_object_is():
    assert texts(b'{"chosen":[{"role":"assistant","content":"x"}],"rejected":[]}') == [["x"], []]


def test_columns_of_other_formats_beside_both_sides_are_no_obstacle():
    assert texts({"chosen": GOOD, "rejected": BAD, "preferred_output": GOOD}) == [
        ["Done."],
        ["No."],
    ]


@pytest.mark.parametrize(
    ("raw", "at", "problem"),
    [
        (7, "$", "expected a pair with chosen and rejected, got int"),
        ({"chosen": GOOD}, "$", "got none under rejected"),
        ({"chosen": None, "rejected": BAD}, "$", "got none under chosen"),
        ({"chosen": GOOD, "rejected": "No."}, "$.rejected", "expected an object"),
        ({"chosen": [{"role": "ghost"}], "rejected": BAD}, "$.chosen.messages[0].role", "ghost"),
        ({"preferred_output": GOOD}, "$", "got a row of format fireworks"),
        ({"messages": GOOD, "reward": 1.0}, "$", "build_preference_pairs makes pairs of rollouts"),
        (b"{torn", "$", "expected one JSON object"),
    ],
)
def test_what_is_no_pair_is_refused_with_its_place(raw, at, problem):
    with pytest.raises(BadRow, match=problem) as caught:
        read_pair(raw, job())
    assert caught.value.at == at


def test_the_ask_is_the_pairs_else_the_chosen_sides():
    sides = {"chosen": [ASK, *GOOD], "rejected": [ASK, *BAD]}
    assert ask_of(read_pair({**sides, "prompt": "Go!"}, job())) == "Go!"
    assert ask_of(read_pair(sides, job())) == "go"
    assert ask_of(read_pair({"chosen": GOOD, "rejected": BAD}, job())) == ""


def test_a_reply_is_as_long_as_all_that_the_assistant_says():
    assert reply_length([ASK, assistant("abc"), tool("long"), assistant("de")]) == 5


def test_a_side_ends_on_an_assistant_turn_without_its_reasoning():
    turns = [ASK, assistant("<think>x</think>Done."), user("Thanks.")]
    assert cleaned(turns, strip_think=True) == ([ASK, *GOOD], {"think_closed": 1})
    assert cleaned(turns, strip_think=False) == (turns[:2], {})


def test_a_side_completes_where_the_assistant_says_something():
    assert completes([ASK, *GOOD])
    assert completes([ASK, assistant("", tool_calls=[{}])])
    assert not completes([ASK, assistant(" "), user("so?")])
    assert not completes([])
