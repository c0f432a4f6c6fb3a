import copy
import json
from typing import Any

import pytest

from whileai_export.core.normalize import normalize
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import BadArguments, JsonObject, Surroundings, Trajectory

NOTHING = Surroundings()
TOOL = {"type": "function", "function": {"name": "find", "parameters": {"type": "object"}}}
CALL = {"id": "call_0000", "name": "find", "arguments": {"ref": "A"}}
CONVERSATION = [
    {"role": "user", "content": "Where?"},
    {"role": "assistant", "content": "Wait.", "tool_calls": [CALL]},
    {"role": "tool", "content": '{"day": "Tue"}', "name": "find", "tool_call_id": "call_0000"},
    {"role": "assistant", "content": "On Tuesday."},
]
STEPS: JsonObject = {
    "prompt": "Where?",
    "steps": [
        {"tool": "find", "arguments": {"ref": "A"}, "result": {"day": "Tue"}, "text": "Wait."}
    ],
    "final_text": "On Tuesday.",
}
PLATFORM: JsonObject = {
    "question": "Where?",
    "tool_trace": [
        {"tool": "find", "input": {"ref": "A"}, "output": {"day": "Tue"}, "text": "Wait."}
    ],
    "answer": "On Tuesday.",
}
WIRE_CALL = {
    "id": "call_0000",
    "type": "function",
    "function": {"name": "find", "arguments": '{"ref": "A"}'},
}
MESSAGES: JsonObject = {
    "messages": [
        {"role": "user", "content": "Where?"},
        {"role": "assistant", "content": "Wait.", "tool_calls": [WIRE_CALL]},
        CONVERSATION[2],
        {"role": "assistant", "content": "On Tuesday."},
    ]
}
FLAT_CALLS: JsonObject = {
    "messages": [
        {"role": "human", "content": "Where?"},
        {"role": "ai", "content": "Wait.", "tool_calls": [{"name": "find", "args": {"ref": "A"}}]},
        {"role": "tool", "content": {"day": "Tue"}, "name": "find"},
        {"role": "model", "content": "On Tuesday."},
    ]
}
FLAT: JsonObject = {"messages_json": json.dumps(MESSAGES["messages"]), "prompt": "Where?"}
TRAINING: JsonObject = {**MESSAGES, "loss_mask": [0, 1, 0, 1], "prompt_text": "Where?"}


def read(row: JsonObject, around: Surroundings = NOTHING) -> Trajectory:
    return normalize(row, around)


def conversation(*turns: JsonObject, **columns: Any) -> JsonObject:
    return {"messages": list(turns), **columns}


def staged(trajectory: Trajectory) -> JsonObject:
    """The trajectory as the training row that an exporter writes of it."""
    messages = copy.deepcopy(trajectory.messages)
    for message in messages:
        for call in message.get("tool_calls", ()):
            given = call["arguments"]
            text = given.text if isinstance(given, BadArguments) else json.dumps(given)
            call["function"] = {"name": call.pop("name"), "arguments": text}  # type: ignore[misc, typeddict-unknown-key]
            del call["arguments"]  # type: ignore[misc]
    mask = [int(message["role"] == "assistant") for message in messages]
    columns = {**trajectory.columns, "task": trajectory.task, "tools": trajectory.tools}
    return {"messages": messages, "loss_mask": mask, **columns}


@pytest.mark.parametrize(
    ("row", "shape"),
    [
        (STEPS, "steps"),
        (PLATFORM, "platform"),
        (MESSAGES, "messages"),
        (FLAT_CALLS, "messages"),
        (FLAT, "flat"),
        (TRAINING, "training"),
    ],
)
def test_one_conversation_is_the_same_in_every_shape(row: JsonObject, shape: str):
    given = copy.deepcopy(row)
    trajectory = read(row)
    assert trajectory.messages == CONVERSATION
    assert trajectory.shape == shape
    assert trajectory.columns["prompt"] == trajectory.task == "Where?"
    assert row == given


@pytest.mark.parametrize("row", [STEPS, PLATFORM, MESSAGES, FLAT_CALLS, FLAT, TRAINING])
def test_reading_what_was_read_changes_nothing(row: JsonObject):
    around = Surroundings(system_prompt="Be brief.", tools=[TOOL])
    row = {**row, "scenario_id": 7, "reward": 1, "lineage": {"a": None}}
    once = read(row, around)
    again = read(staged(once), around)
    assert again.messages == once.messages
    assert again.tools == once.tools
    assert again.columns == {**once.columns, "task": "7"}
    assert (again.task, again.reward) == (once.task, once.reward) == ("7", 1.0)
    assert again.repairs == {}


def test_a_repair_of_every_part_is_counted():
    assert read(FLAT_CALLS).repairs == {
        "roles_mapped": 3,
        "aliases_read": 1,
        "results_as_json": 1,
        "generated_ids": 1,
        "results_linked": 1,
    }
    assert read(STEPS).repairs == {}
    assert read(PLATFORM).repairs == {"aliases_read": 2}
    aliased = {
        "question": "Where?",
        "steps": [{"tool": "find", "input": {"ref": "A"}, "output": 1}],
    }
    assert read(aliased).repairs == {"aliases_read": 3}


@pytest.mark.parametrize("row", [STEPS, PLATFORM])
def test_an_opener_comes_before_the_ask(row: JsonObject):
    opener = {"role": "assistant", "content": "Front desk."}
    assert read({**row, "opener": "Front desk."}).messages == [opener, *CONVERSATION]


def test_the_surroundings_are_taken_as_they_are():
    around = Surroundings(system_prompt="Be brief.", tools=[TOOL])
    trajectory = read(STEPS, around)
    assert trajectory.messages[0]["content"] is around.system_prompt
    assert trajectory.tools is around.tools
    assert (trajectory.prompt_from, trajectory.tools_from) == ("argument", "argument")


def test_arguments_that_are_no_object_survive_staging():
    call = {"id": "a", "name": "f", "arguments": [1]}
    once = read(conversation({"role": "assistant", "content": "", "tool_calls": [call]}))
    bad = BadArguments("[1]", "expected an object, got a list")
    assert once.messages[0]["tool_calls"][0]["arguments"] == bad
    assert read(staged(once)).messages == once.messages


def test_a_responses_row_is_read_with_its_tools():
    function = {"type": "function", "name": "find", "parameters": {"type": "object"}}
    trajectory = read(
        {
            "responses_create_params": {"input": "Where?", "tools": [function]},
            "response": {"output": [{"type": "message", "role": "assistant", "content": "There."}]},
            "reward": 1.0,
        }
    )
    assert trajectory.shape == "responses"
    assert trajectory.tools == [TOOL]
    assert trajectory.columns == {"reward": 1.0, "prompt": "Where?"}


def test_an_empty_conversation_is_empty():
    assert read({"messages": []}).messages == []


@pytest.mark.parametrize("row", [[], "x", None])
def test_what_is_no_object_is_refused(row: Any):
    with pytest.raises(BadRow, match="expected an object, got "):
        read(row)


def test_a_closed_door_leaves_the_surroundings_alone():
    around = Surroundings(source_prompt="Be brief.", prompt_from="sidecar")
    assert read(STEPS, around).prompt_from == "sidecar"
    assert around == Surroundings(source_prompt="Be brief.", prompt_from="sidecar")
