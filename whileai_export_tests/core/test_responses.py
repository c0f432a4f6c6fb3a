from typing import Any

import pytest

from whileai_export.core.responses import is_responses, read_responses, response_finish
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import Message


def row(*output: Any, given: Any = "hi", **request: Any) -> dict[str, Any]:
    return {
        "responses_create_params": {"input": given, **request},
        "response": {"output": list(output)},
    }


def turns(*output: Any, **request: Any) -> list[Message]:
    return read_responses(row(*output, **request))[0]


def message(text: str) -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": []}
    return {"type": "message", "id": "m", "role": "assistant", "status": "ok", "content": [part]}


def called(id: str, arguments: str = '{"n": 1}') -> dict[str, Any]:
    return {"type": "function_call", "call_id": id, "id": "x", "name": "f", "arguments": arguments}


def output(id: str, value: Any) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": id, "output": value, "status": "completed"}


def reasoning(**texts: str) -> dict[str, Any]:
    parts = {key: [{"type": f"{key}_text", "text": text}] for key, text in texts.items()}
    return {"type": "reasoning", "id": "r", "summary": [], **parts}


CALL = {"id": "a", "name": "f", "arguments": {"n": 1}}
USER: Message = {"role": "user", "content": "hi"}


@pytest.mark.parametrize(
    "other",
    [
        {},
        {"response": {"output": []}},
        {"responses_create_params": {}, "response": "text"},
        {"responses_create_params": {}, "response": {}},
        {"responses_create_params": "x", "response": {"output": []}},
    ],
)
def test_a_row_needs_a_request_and_its_output(other: dict[str, Any]):
    assert is_responses(row())
    assert not is_responses(other)


def test_items_become_turns():
    assert turns(called("a"), output("a", "ok"), message("Done.")) == [
        USER,
        {"role": "assistant", "content": "", "tool_calls": [CALL]},
        {"role": "tool", "content": "ok", "tool_call_id": "a"},
        {"role": "assistant", "content": "Done."},
    ]
    assert read_responses(row(called("a"), output("a", "ok"), message("Done.")))[1] == {}


def test_neighbours_that_the_assistant_made_are_one_turn():
    items = (reasoning(summary="hm"), message("Wait."), called("a"), called("b"), message("Well."))
    assert turns(*items) == [
        USER,
        {
            "role": "assistant",
            "content": "Wait.\n\nWell.",
            "reasoning_content": "hm",
            "tool_calls": [CALL, {**CALL, "id": "b"}],
        },
    ]
    assert list(turns(*items)[1]) == ["role", "content", "reasoning_content", "tool_calls"]


def test_an_output_in_between_ends_the_turn():
    found = turns(called("a"), output("a", "1"), called("b"), output("b", "2"))
    assert [turn["role"] for turn in found] == ["user", "assistant", "tool", "assistant", "tool"]


def test_reasoning_is_its_text_else_its_summary_and_counted():
    assert turns(reasoning(content="all", summary="short"))[1]["reasoning_content"] == "all"
    assert turns(reasoning(summary="short"))[1]["reasoning_content"] == "short"
    assert read_responses(row(reasoning(summary="short"), message("x")))[1] == {
        "reasoning_items": 1
    }


def test_encrypted_reasoning_makes_no_turn():
    assert turns({"type": "reasoning", "summary": [], "encrypted_content": "x"}) == [USER]


def test_the_request_gives_the_turns_before():
    given = [
        {"role": "developer", "content": "be brief", "type": "message"},
        {"role": "user", "content": [{"type": "input_text", "text": "hi"}]},
        called("z"),
        output("z", [{"type": "input_text", "text": "seen"}]),
    ]
    found, repairs = read_responses(row(message("Hello."), given=given))
    assert found == [
        {"role": "system", "content": "be brief"},
        USER,
        {"role": "assistant", "content": "", "tool_calls": [{**CALL, "id": "z"}]},
        {"role": "tool", "content": "seen", "tool_call_id": "z"},
        {"role": "assistant", "content": "Hello."},
    ]
    assert repairs == {"roles_mapped": 1, "content_parts_joined": 1}


def test_instructions_are_a_system_prompt():
    assert turns(message("Hello."), instructions="be brief")[0] == {
        "role": "system",
        "content": "be brief",
    }


@pytest.mark.parametrize("given", [None, "", []])
def test_a_request_may_give_nothing(given: Any):
    assert turns(message("Hello."), given=given) == [{"role": "assistant", "content": "Hello."}]


def test_an_output_that_is_no_text_becomes_its_json_text():
    found = turns(called("a"), output("a", {"n": 1}))
    assert found[2] == {"role": "tool", "content": '{"n": 1}', "tool_call_id": "a"}


@pytest.mark.parametrize(
    ("item", "problem", "at"),
    [
        ({"type": "web_search_call"}, "got 'web_search_call'", ".type"),
        ("x", "expected an item, got text", ""),
        ({**called("a"), "name": None}, "expected the name of a tool, got null", ".name"),
        ({"type": "message", "role": "robot", "content": "x"}, "got 'robot'", ".role"),
        (
            {**message("x"), "content": [{"type": "refusal", "refusal": "no"}]},
            "expected a text part, got one of kind 'refusal'",
            ".content[0]",
        ),
        (output("a", [{"type": "input_image"}]), "of kind 'input_image'", ".output[0]"),
        ({**output("a", "x"), "call_id": {}}, "expected an id, got an object", ".call_id"),
    ],
)
def test_another_item_is_refused_by_place(item: Any, problem: str, at: str):
    with pytest.raises(BadRow, match=problem) as refused:
        turns(message("fine"), item)
    assert refused.value.at == f"$.response.output[1]{at}"


@pytest.mark.parametrize(
    ("request_", "at"),
    [
        ({"given": {"a": 1}}, "$.responses_create_params.input"),
        ({"instructions": ["x"]}, "$.responses_create_params.instructions"),
    ],
)
def test_a_request_that_cannot_be_read_is_refused_by_place(request_: Any, at: str):
    with pytest.raises(BadRow) as refused:
        turns(**request_)
    assert refused.value.at == at


@pytest.mark.parametrize(
    ("response", "finish"),
    [
        ({"status": "completed"}, None),
        ({}, None),
        ({"status": "failed"}, "error"),
        ({"status": "incomplete", "incomplete_details": None}, "length"),
        ({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}, "length"),
        ({"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}, "error"),
    ],
)
def test_a_bad_end_is_named(response: dict[str, Any], finish: str | None):
    assert response_finish(response) == finish
