from __future__ import annotations

import pytest

from whileai_export import loss_mask
from whileai_export_tests.hard_inputs.doors import (
    call,
    exported,
    kept_out,
    kept_out_of_pairs,
    result,
    row,
    says,
    turns,
    user,
)
from whileai_export_tests.hard_inputs.rows import shows


@shows("content-absent")
@pytest.mark.parametrize("content", [{"content": None}, {}], ids=["null", "absent"])
def test_no_content_beside_calls_is_empty_text(tmp_path, content):
    turn = {"role": "assistant", **content, "tool_calls": [call({})]}
    assert turns(tmp_path, row(turn, result("found")))[1]["content"] == ""


@shows("content-parts")
def test_parts_of_text_are_joined(tmp_path):
    parts = [{"type": "text", "text": "He"}, {"text": "re"}, {"type": "output_text", "text": "."}]
    rows, report = exported(tmp_path, row(says(parts)))
    assert rows[0]["messages"][1] == {"role": "assistant", "content": "Here."}
    assert report["repairs"] == {"content_parts_joined": 1}


PARTS = {
    "image_url": {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}},
    "input_audio": {"type": "input_audio", "input_audio": {}},
    "refusal": {"type": "refusal", "refusal": "No."},
}


@shows("content-parts")
@pytest.mark.parametrize("kind", PARTS)
def test_another_kind_of_part_is_named_and_keeps_the_row_out(tmp_path, kind):
    bad = row(says([{"type": "text", "text": "See "}, PARTS[kind]]))
    problem = f"expected a text part, got one of kind '{kind}'"
    kept_out(tmp_path, bad, "readable", "$.messages[1].content[1]", problem)
    kept_out_of_pairs(tmp_path, bad, "readable", "$.messages[1].content[1]", problem)


@shows("content-parts")
def test_content_of_another_kind_keeps_the_row_out(tmp_path):
    problem = "expected text or text parts, got an object"
    kept_out(tmp_path, row(says({"x": 1})), "readable", "$.messages[1].content", problem)


@shows("content-result")
@pytest.mark.parametrize(
    ("content", "text"),
    [
        ({"a": [1, None], "b": "é"}, '{"a": [1, null], "b": "\\u00e9"}'),
        ([1, {"x": 2}], '[1, {"x": 2}]'),
        ([], "[]"),
        (7, "7"),
        ([{"type": "text", "text": "found"}], "found"),
    ],
    ids=["object", "list", "empty_list", "number", "text_parts"],
)
def test_a_result_that_is_no_text_becomes_its_json_text(tmp_path, content, text):
    assert turns(tmp_path, row(says("", call({})), result(content)))[2]["content"] == text


@shows("blocks")
def test_anthropic_blocks_become_text_reasoning_calls_and_results(tmp_path):
    asked = says(
        [
            {"type": "thinking", "thinking": "Where could it be"},
            {"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "t1", "name": "look", "input": {"x": 1}},
        ]
    )
    answered = user(
        [
            {
                "type": "tool_result",
                "tool_use_id": "t1",
                "content": [{"type": "text", "text": "f"}],
            },
            {"type": "text", "text": "And?"},
        ]
    )
    rows, report = exported(tmp_path, row(asked, answered, says("Here.")), strip_think=False)
    assert rows[0]["messages"] == [
        user("Where?"),
        {
            "role": "assistant",
            "content": "I look.",
            "reasoning_content": "Where could it be",
            "tool_calls": [
                {
                    "id": "t1",
                    "type": "function",
                    "function": {"name": "look", "arguments": '{"x":1}'},
                }
            ],
        },
        {"role": "tool", "content": "f", "tool_call_id": "t1"},
        user("And?"),
        says("Here."),
    ]
    assert report["repairs"] == {"anthropic_blocks": 5, "content_parts_joined": 1}


@shows("turn-empty", "think-counted")
@pytest.mark.parametrize(
    ("text", "repairs"),
    [
        ("", {"empty_assistant_turns": 1}),
        ("<think>hm</think> ", {"empty_assistant_turns": 1, "think_closed": 1}),
    ],
)
def test_a_turn_that_says_nothing_stays_without_loss_and_is_counted(tmp_path, text, repairs):
    talk = row(says("Here."), user("And?"), says(text))
    for mode, mask in (("assistant", [0, 1, 0, 0]), ("final", [0, 1, 0, 0])):
        rows, report = exported(tmp_path, talk, mask_mode=mode)
        assert [turn["role"] for turn in rows[0]["messages"]] == [
            *("user", "assistant", "user", "assistant"),
        ]
        assert rows[0]["loss_mask"] == mask
        assert report["repairs"] == repairs
    assert loss_mask(rows[0]["messages"]) == [0, 1, 0, 1]


@shows("roles")
def test_other_names_of_the_roles_are_mapped_and_counted(tmp_path):
    older = {"role": "AI", "content": "", "function_call": {"name": "look", "arguments": "{}"}}
    talk = {
        "messages": [
            {"role": "Developer", "content": "Be brief."},
            {"role": "human", "content": "Where?"},
            older,
            {"role": "function", "name": "look", "content": "found"},
            {"role": "MODEL", "content": "Here."},
        ]
    }
    rows, report = exported(tmp_path, talk)
    assert [turn["role"] for turn in rows[0]["messages"]] == [
        *("system", "user", "assistant", "tool", "assistant"),
    ]
    assert rows[0]["messages"][2]["tool_calls"][0]["id"] == "call_0000"
    assert rows[0]["messages"][3]["tool_call_id"] == "call_0000"
    assert report["repairs"] == {
        "function_call_converted": 1,
        "generated_ids": 1,
        "results_linked": 1,
        "roles_mapped": 5,
    }


@shows("roles")
@pytest.mark.parametrize(
    ("role", "problem"),
    [
        ("critic", "expected the role of a chat turn, got 'critic'"),
        (None, "expected a role, got null"),
        (3, "expected a role, got a number"),
    ],
)
def test_any_other_role_keeps_the_row_out(tmp_path, role, problem):
    bad = row({"role": role, "content": "x"})
    kept_out(tmp_path, bad, "readable", "$.messages[1].role", problem)
    kept_out_of_pairs(tmp_path, bad, "readable", "$.messages[1].role", problem)


@shows("reasoning")
def test_reasoning_is_dropped_with_strip_think_and_kept_without(tmp_path):
    talk = row({**says("Here."), "reasoning_content": "I know."})
    assert turns(tmp_path, talk)[1] == says("Here.")
    kept = turns(tmp_path, talk, strip_think=False)[1]
    assert kept == {"role": "assistant", "content": "Here.", "reasoning_content": "I know."}
