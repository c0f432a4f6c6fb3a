from typing import Any

import pytest

from whileai_export.core.preamble import tools_of, with_system
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import Message, Surroundings

USER: Message = {"role": "user", "content": "hi"}
TOOL = {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}


def system(content: str) -> Message:
    return {"role": "system", "content": content}


AROUND = Surroundings(
    source_prompt="source",
    source_prompts={"abc": "by sha"},
    source_tools=[TOOL],
    prompt_from="sidecar",
    tools_from="profile",
)
NOTHING = Surroundings()


def test_the_argument_stands_before_every_other_prompt():
    prompt = "the argument"
    found, origin, repairs = with_system(
        [USER], {"system_prompt": "row"}, Surroundings(system_prompt=prompt, source_prompt="x")
    )
    assert found == [system("the argument"), USER]
    assert found[0]["content"] is prompt
    assert (origin, repairs) == ("argument", {})


def test_the_argument_replaces_the_prompt_of_the_row_and_is_counted():
    around = Surroundings(system_prompt="new")
    assert with_system([system("old"), USER], {}, around) == (
        [system("new"), USER],
        "argument",
        {"system_replaced": 1},
    )


def test_the_argument_that_says_the_same_replaces_nothing():
    prompt = "".join(["sa", "me"])
    found, _, repairs = with_system([system("same"), USER], {}, Surroundings(system_prompt=prompt))
    assert found == [system("same"), USER]
    assert found[0]["content"] is prompt
    assert repairs == {}


def test_the_argument_is_the_one_system_message_at_the_start():
    around = Surroundings(system_prompt="new")
    turns = [system("new"), system("old"), USER, system("later")]
    assert with_system(turns, {}, around) == (
        [system("new"), USER, system("later")],
        "argument",
        {"system_replaced": 1},
    )


@pytest.mark.parametrize("turns", [[system("own"), USER], [USER, system("own")]])
def test_the_own_message_of_the_row_stands_before_the_source(turns: list[Message]):
    assert with_system(turns, {"system_prompt": "x"}, AROUND) == (turns, "row", {})


def test_two_own_messages_are_kept():
    turns = [system("one"), system("two"), USER]
    assert with_system(turns, {}, NOTHING) == (turns, "row", {})


def test_the_own_column_of_the_row_stands_before_the_source():
    assert with_system([USER], {"system_prompt": "own"}, AROUND) == (
        [system("own"), USER],
        "row",
        {},
    )


def test_a_column_that_is_no_text_is_refused():
    with pytest.raises(BadRow) as refused:
        with_system([USER], {"system_prompt": ["own"]}, NOTHING)
    assert refused.value.at == "$.system_prompt"


@pytest.mark.parametrize(
    ("lineage", "prompt"),
    [
        ({"system_prompt_sha": "abc"}, "by sha"),
        ({"system_prompt_sha": "other"}, "source"),
        ({"system_prompt_sha": ["abc"]}, "source"),
        ("abc", "source"),
        (None, "source"),
    ],
)
def test_the_source_is_asked_by_sha_first(lineage: Any, prompt: str):
    found, origin, _ = with_system([USER], {"lineage": lineage}, AROUND)
    assert (found, origin) == ([system(prompt), USER], "sidecar")


def test_no_prompt_is_no_message():
    turns = [USER]
    assert with_system(turns, {}, NOTHING) == (turns, None, {})


def test_tools_come_from_the_argument_then_the_row_then_the_source():
    argument, own = [TOOL], [{**TOOL}]
    found, origin, _ = tools_of({"tools": own}, Surroundings(tools=argument))
    assert found is argument
    assert origin == "argument"
    found, origin, _ = tools_of({"tools": own}, AROUND)
    assert found is own
    assert origin == "row"
    found, origin, _ = tools_of({"tools": []}, AROUND)
    assert found is AROUND.source_tools
    assert origin == "profile"
    assert tools_of({}, NOTHING) == (None, None, {})


def test_the_tools_of_a_request_are_converted():
    tool = {
        "type": "function",
        "name": "f",
        "description": "",
        "parameters": {"type": "object"},
        "strict": True,
    }
    row = {"responses_create_params": {"tools": [tool]}, "response": {"output": []}}
    function = {"name": "f", "description": "", "parameters": {"type": "object"}, "strict": True}
    assert tools_of(row, NOTHING) == ([{"type": "function", "function": function}], "row", {})
    tool["strict"] = tool["description"] = None
    assert tools_of(row, NOTHING)[0] == [TOOL]


def test_tools_declared_in_another_way_are_converted_and_counted():
    own = [{"name": "f", "input_schema": {"type": "object"}}, TOOL, {"type": "web_search"}]
    assert tools_of({"tools": own}, NOTHING) == (
        [TOOL, TOOL],
        "row",
        {"tools_converted": 1, "tools_left_out": 1},
    )


def test_tools_as_json_text_are_decoded():
    text = '[{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}]'
    assert tools_of({"tools": text}, NOTHING) == ([TOOL], "row", {})


def test_private_words_stay_in_tools_and_what_is_no_number_goes():
    schema = {"reference": {"default": float("nan"), "enum": [None, 2**70]}}
    own = [{"type": "function", "function": {"name": "f", "parameters": schema}}]
    found, _, repairs = tools_of({"tools": own}, NOTHING)
    assert found == [
        {
            "type": "function",
            "function": {
                "name": "f",
                "parameters": {"reference": {"default": None, "enum": [None, str(2**70)]}},
            },
        }
    ]
    assert repairs == {"nan_nulled": 1, "big_integers_as_text": 1}


@pytest.mark.parametrize(
    ("own", "problem", "at"),
    [
        ({"f": {}}, "expected a list of tools, got an object", "$.tools"),
        (["f"], "expected a tool, got text", "$.tools[0]"),
        ("[", "expected JSON, got other text at character 1", "$.tools"),
    ],
)
def test_tools_that_are_none_are_refused(own: Any, problem: str, at: str):
    with pytest.raises(BadRow) as refused:
        tools_of({"tools": own}, NOTHING)
    assert (refused.value.problem, refused.value.at) == (problem, at)
