from __future__ import annotations

import pytest

from whileai_export.core.structure import structure

SYSTEM = {"role": "system", "content": "s"}
USER = {"role": "user", "content": "u"}
REPLY = {"role": "assistant", "content": "a"}


def asks(*ids: str) -> dict:
    calls = [{"id": one, "name": "f", "arguments": {}} for one in ids]
    return {"role": "assistant", "content": "", "tool_calls": calls}


def result(one: str | None = None) -> dict:
    turn = {"role": "tool", "content": "r"}
    return turn if one is None else {**turn, "tool_call_id": one}


@pytest.mark.parametrize(
    "messages",
    [
        [USER, REPLY],
        [SYSTEM, USER, REPLY, USER, REPLY],
        [SYSTEM, USER, asks("a"), result("a"), REPLY],
        [USER, asks("a", "b"), result("b"), result("a"), asks("c"), result("c"), REPLY],
        [USER, asks("a"), result("a"), asks("a"), result("a"), REPLY],
        [USER, asks("a", "b")],
        [USER, asks("a", "b"), result("b")],
        [USER, REPLY, USER],
        [SYSTEM, USER],
    ],
)
def test_what_templates_take_is_found_in_order(messages):
    assert structure(messages) == []


@pytest.mark.parametrize(
    ("messages", "at", "problem"),
    [
        ([], "$.messages", "expected turns, got none"),
        (
            [SYSTEM, SYSTEM, USER, REPLY],
            "$.messages[1]",
            "expected one system message, got another",
        ),
        (
            [USER, SYSTEM, REPLY],
            "$.messages[1]",
            "expected one system message, first, got one later",
        ),
        (
            [REPLY, USER],
            "$.messages[0]",
            "expected a user turn before the first assistant turn, got none",
        ),
        (
            [SYSTEM, REPLY],
            "$.messages[1]",
            "expected a user turn before the first assistant turn, got none",
        ),
        (
            [USER, REPLY, REPLY],
            "$.messages[2]",
            "expected a user or tool turn, got another assistant turn",
        ),
        ([USER, USER, REPLY], "$.messages[1]", "expected an assistant turn, got another user turn"),
        (
            [USER, asks("a"), result("a"), USER, REPLY],
            "$.messages[3]",
            "expected the assistant's turn after the tool's, got a user turn",
        ),
        (
            [USER, REPLY, SYSTEM, USER],
            "$.messages[2]",
            "expected one system message, first, got one later",
        ),
        (
            [USER, asks("a"), result("a"), SYSTEM, REPLY],
            "$.messages[3]",
            "expected one system message, first, got one later",
        ),
        (
            [USER, REPLY, result("a")],
            "$.messages[2].tool_call_id",
            "expected the id of a call that is open, got one that answers none",
        ),
        (
            [USER, asks("a"), result()],
            "$.messages[2].tool_call_id",
            "expected the id of a call that is open, got one that answers none",
        ),
        (
            [USER, asks("a"), result("a"), result("a"), REPLY],
            "$.messages[3].tool_call_id",
            "expected the id of a call that is open, got one that answers none",
        ),
        (
            [USER, asks("a"), result("a"), asks("b"), result("a")],
            "$.messages[4].tool_call_id",
            "expected the id of a call that is open, got one that answers none",
        ),
        (
            [USER, asks("a", "b"), result("a"), REPLY],
            "$.messages[1].tool_calls[1]",
            "expected a result before the next turn, got none",
        ),
        (
            [USER, asks("a", "a"), result("a"), result("a"), REPLY],
            "$.messages[1].tool_calls[1].id",
            "expected an id of its own, got that of another call of the turn",
        ),
    ],
)
def test_what_templates_refuse_is_found(messages, at, problem):
    assert [(f.gate, f.at, f.problem) for f in structure(messages)] == [("structure", at, problem)]


def test_a_turn_out_of_order_stands_before_the_next_all_the_same():
    messages = [REPLY, REPLY, USER, asks("a"), result("a"), USER, USER]
    assert [finding.problem.partition(" got ")[2] for finding in structure(messages)] == [
        "none",
        "another assistant turn",
        "a user turn",
        "another user turn",
    ]


def test_every_problem_of_a_row_is_found():
    messages = [USER, asks("a", "b"), USER, asks("c"), REPLY]
    assert [finding.at for finding in structure(messages)] == [
        "$.messages[1].tool_calls[0]",
        "$.messages[1].tool_calls[1]",
        "$.messages[3].tool_calls[0]",
        "$.messages[4]",
    ]
