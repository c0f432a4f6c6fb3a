from typing import Any

import pytest

from whileai_export.core.steps import read_steps
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import BadArguments, Message, Repairs


def conversation(*steps: Any, opener: Any = None, ask: str | None = None) -> list[Message]:
    return read_steps(opener, ask, list(steps), "$.steps")[0]


def mended(*steps: Any) -> Repairs:
    return read_steps(None, None, list(steps), "$.steps")[1]


def refusal(*steps: Any) -> tuple[str, str]:
    with pytest.raises(BadRow) as refused:
        conversation(*steps)
    return refused.value.problem, refused.value.at


def called(id: str, name: str, arguments: Any, content: str = "") -> Message:
    call = {"id": id, "name": name, "arguments": arguments}
    return {"role": "assistant", "content": content, "tool_calls": [call]}  # type: ignore[typeddict-item]


def result(id: str, name: str, content: str) -> Message:
    return {"role": "tool", "content": content, "name": name, "tool_call_id": id}


def test_opener_and_ask_come_first():
    assert conversation(opener="Front desk.", ask="A room.") == [
        {"role": "assistant", "content": "Front desk."},
        {"role": "user", "content": "A room."},
    ]


def test_a_tool_step_is_a_call_and_its_result():
    step = {"tool": "find", "arguments": {"ref": "A"}, "result": {"day": "Tue"}, "text": "Wait."}
    turns = conversation(step)
    assert turns == [
        called("call_0000", "find", {"ref": "A"}, "Wait."),
        result("call_0000", "find", '{"day": "Tue"}'),
    ]
    assert [list(turn) for turn in turns] == [
        ["role", "content", "tool_calls"],
        ["role", "content", "name", "tool_call_id"],
    ]
    assert mended(step) == {}


def test_ids_are_numbered_through_the_row():
    turns = conversation(
        {"tool": "f", "result": "1"}, {"user": "and?"}, {"tool": "f", "result": "2"}
    )
    assert [turn.get("tool_call_id") for turn in turns] == [
        None,
        "call_0000",
        None,
        None,
        "call_0001",
    ]


def test_calls_are_numbered_one_after_another_whatever_stands_between():
    step = {"tool": "f", "result": "r"}
    turns = conversation(step, step, {"text": "Hm."}, {"user": "and?", **step}, step)
    ids = [call["id"] for turn in turns for call in turn.get("tool_calls", ())]
    assert ids == ["call_0000", "call_0001", "call_0002", "call_0003"]


def test_what_is_said_beside_a_call_may_be_text_parts():
    step = {"tool": "f", "result": "r", "text": [{"type": "text", "text": "Wait."}]}
    assert conversation(step)[0] == called("call_0000", "f", {}, "Wait.")


def test_user_and_text_steps_are_turns():
    assert conversation(
        {"user": "so?"}, {"text": ""}, {"user": [{"type": "text", "text": "x"}]}
    ) == [
        {"role": "user", "content": "so?"},
        {"role": "assistant", "content": ""},
        {"role": "user", "content": "x"},
    ]


def test_a_step_that_holds_two_things_loses_neither():
    assert conversation({"user": "u", "text": "t"}) == [
        {"role": "user", "content": "u"},
        {"role": "assistant", "content": "t"},
    ]
    assert conversation({"user": "u", "tool": "f", "result": "r"}) == [
        {"role": "user", "content": "u"},
        called("call_0000", "f", {}),
        result("call_0000", "f", "r"),
    ]


@pytest.mark.parametrize("alias", ["args", "input", "parameters"])
def test_arguments_are_read_under_their_aliases(alias: str):
    step = {"tool": "f", alias: {"a": 1}, "result": ""}
    assert conversation(step)[0] == called("call_0000", "f", {"a": 1})
    assert mended(step) == {"aliases_read": 1}


@pytest.mark.parametrize("alias", ["output", "response"])
def test_a_result_is_read_under_its_aliases(alias: str):
    step = {"tool": "f", alias: [1, 2]}
    assert conversation(step)[1] == result("call_0000", "f", "[1, 2]")
    assert mended(step) == {"aliases_read": 1}


def test_a_null_result_is_what_the_agent_saw():
    step = {"tool": "f", "arguments": None, "result": None}
    assert conversation(step)[1] == result("call_0000", "f", "null")
    assert mended(step) == {}


def test_a_missing_result_counts_as_null_and_is_counted():
    assert conversation({"tool": "f"})[1] == result("call_0000", "f", "null")
    assert mended({"tool": "f"}) == {"missing_results": 1}


def test_arguments_that_are_no_object_are_kept_for_the_gate():
    step = {"tool": "f", "arguments": [1], "result": ""}
    assert conversation(step)[0] == called(
        "call_0000", "f", BadArguments("[1]", "expected an object, got a list")
    )


def test_repairs_of_all_steps_are_added():
    step = {"tool": "f", "arguments": '"{}"', "result": float("nan")}
    assert mended(step, step) == {"nested_arguments": 2, "nan_nulled": 2}


@pytest.mark.parametrize(
    ("step", "problem", "at"),
    [
        ("x", "expected a step, got text", "$.steps[1]"),
        ({}, "expected a step with user, tool or text, got none of them", "$.steps[1]"),
        ({"tool": ""}, "expected the name of a tool, got text", "$.steps[1].tool"),
        ({"tool": {"a": 1}}, "expected the name of a tool, got an object", "$.steps[1].tool"),
        ({"text": 7}, "expected text or text parts, got a number", "$.steps[1].text"),
        ({"tool": "f", "text": 7}, "expected text or text parts, got a number", "$.steps[1].text"),
        ({"user": {}}, "expected text or text parts, got an object", "$.steps[1].user"),
        ({"tool": "f", "result": {1}}, "expected JSON, got a Python set", "$.steps[1].result"),
    ],
)
def test_what_is_no_step_is_refused_by_place(step: Any, problem: str, at: str):
    assert refusal({"text": "fine"}, step) == (problem, at)


def test_steps_that_are_no_list_are_refused():
    with pytest.raises(BadRow, match="expected a list of steps, got an object"):
        read_steps(None, None, {"a": 1}, "$.steps")
