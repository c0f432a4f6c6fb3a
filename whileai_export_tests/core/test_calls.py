from typing import Any

import pytest

from whileai_export.core.calls import read_call, read_calls, read_function_call, recorded_id
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import BadArguments


def test_a_call_in_wire_form_is_read():
    call = {"id": "a", "type": "function", "function": {"name": "f", "arguments": '{"n": 1}'}}
    assert read_call(call) == ({"id": "a", "name": "f", "arguments": {"n": 1}}, {})


def test_a_flat_call_is_read():
    assert read_call({"id": "a", "name": "f", "arguments": {"n": 1}}) == (
        {"id": "a", "name": "f", "arguments": {"n": 1}},
        {},
    )


@pytest.mark.parametrize("arguments", [{}, {"arguments": None}, {"arguments": ""}])
def test_a_call_may_have_no_arguments(arguments: dict[str, Any]):
    assert read_call({"name": "f", **arguments})[0]["arguments"] == {}


@pytest.mark.parametrize("alias", ["args", "input", "parameters"])
def test_arguments_are_read_under_their_aliases(alias: str):
    expected = ({"id": "", "name": "f", "arguments": {"n": 1}}, {"aliases_read": 1})
    assert read_call({"name": "f", alias: {"n": 1}}) == expected
    assert read_call({"function": {"name": "f", alias: '{"n": 1}'}}) == expected


def test_the_own_name_of_the_arguments_comes_before_its_aliases():
    call = {"name": "f", "arguments": "{}", "input": {"n": 1}}
    assert read_call(call) == ({"id": "", "name": "f", "arguments": {}}, {})


def test_an_id_that_is_a_number_becomes_text():
    assert read_call({"id": 7, "name": "f"})[0]["id"] == "7"
    assert [recorded_id(value, ".id") for value in ("a", 7, None, "")] == ["a", "7", "", ""]


def test_arguments_that_are_no_object_are_kept_for_the_gate():
    call, repairs = read_call({"name": "f", "arguments": "oops"})
    assert call["arguments"] == BadArguments("oops", "expected JSON, got other text at character 0")
    assert repairs == {}


def test_repairs_of_all_calls_are_added():
    call = {"name": "f", "args": '"{}"'}
    assert read_calls([call, call])[1] == {"aliases_read": 2, "nested_arguments": 2}


def test_the_one_call_of_the_older_form_is_read():
    assert read_function_call({"name": "f", "arguments": '{"a":1}'}) == (
        {"id": "", "name": "f", "arguments": {"a": 1}},
        {},
    )


@pytest.mark.parametrize(
    ("call", "problem", "at"),
    [
        ("f()", "expected a call, got text", ".tool_calls[1]"),
        (None, "expected a call, got null", ".tool_calls[1]"),
        ({"arguments": {}}, "expected the name of a tool, got null", ".tool_calls[1].name"),
        ({"name": ""}, "expected the name of a tool, got empty text", ".tool_calls[1].name"),
        ({"name": ["f"]}, "expected the name of a tool, got a list", ".tool_calls[1].name"),
        ({"function": "f"}, "expected an object, got text", ".tool_calls[1].function"),
        ({"function": {}}, "expected the name of a tool, got null", ".tool_calls[1].name"),
        ({"name": "f", "id": ["a"]}, "expected an id, got a list", ".tool_calls[1].id"),
    ],
)
def test_a_malformed_call_is_refused_by_place(call: Any, problem: str, at: str):
    with pytest.raises(BadRow) as refused:
        read_calls([{"name": "f"}, call])
    assert (refused.value.problem, refused.value.at) == (problem, at)


@pytest.mark.parametrize(("calls", "kind"), [({"name": "f"}, "an object"), ("[]", "text")])
def test_calls_that_are_no_list_are_refused(calls: Any, kind: str):
    with pytest.raises(BadRow, match=f"expected a list of calls, got {kind}"):
        read_calls(calls)


def test_an_older_call_is_refused_by_place():
    with pytest.raises(BadRow) as refused:
        read_function_call({"arguments": "{}"})
    assert refused.value.at == ".function_call.name"
