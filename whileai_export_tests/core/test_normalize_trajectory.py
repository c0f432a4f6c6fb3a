import json

import pytest

from whileai_export.core.normalize import normalize
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import JsonObject, Surroundings, Trajectory

STEPS: JsonObject = {"prompt": "Where?", "steps": [], "final_text": "On Tuesday."}
MESSAGES: JsonObject = {
    "messages": [
        {"role": "user", "content": "Where?"},
        {"role": "assistant", "content": "On Tuesday."},
    ]
}
ERROR: JsonObject = {"role": "assistant", "content": "<agent error: boom>"}
TRAINING: JsonObject = {**MESSAGES, "loss_mask": [0, 1], "prompt_text": "Where?"}


def read(row: JsonObject, system_prompt: str | None = None) -> Trajectory:
    return normalize(row, Surroundings(system_prompt=system_prompt))


def conversation(*turns: JsonObject) -> JsonObject:
    return {"messages": list(turns)}


def test_what_the_row_says_of_its_grade_is_read():
    trajectory = read({**STEPS, "reward": 0.5})
    assert (trajectory.columns["reward"], trajectory.reward, trajectory.ungraded) == (
        0.5,
        0.5,
        None,
    )
    trajectory = read({**STEPS, "reward": 7})
    assert (trajectory.columns["reward"], trajectory.reward) == (7.0, None)
    assert trajectory.ungraded == "out_of_range"
    trajectory = read({**STEPS, "reward": True})
    assert "reward" not in trajectory.columns
    assert trajectory.ungraded == "bool"


@pytest.mark.parametrize(
    ("columns", "task"),
    [
        ({"scenario_id": 7, "task_id": "t"}, "7"),
        ({"task_id": "t"}, "t"),
        ({"task_id": 8}, "8"),
        ({"scenario_id": None}, "Where?"),
        ({"prompt": "the ask"}, "the ask"),
    ],
)
def test_a_task_is_the_scenario_else_the_task_else_the_ask(columns: JsonObject, task: str):
    assert read({**MESSAGES, **columns}).task == task


def test_a_row_without_an_ask_is_its_own_task():
    assert read(conversation({"role": "assistant", "content": "Hello."})).task is None


def test_the_privileged_block_is_kept_apart():
    block = {"reference": "secret"}
    trajectory = read({**STEPS, "privileged": block})
    assert trajectory.privileged is block
    assert "privileged" not in trajectory.columns
    metadata = json.dumps({"privileged": block, "tier": "x"})
    assert read({**MESSAGES, "metadata_json": metadata}).privileged == block


@pytest.mark.parametrize(
    ("row", "final"),
    [
        (STEPS, None),
        ({**MESSAGES, "final_text": " On Tuesday. "}, None),
        ({**MESSAGES, "final_text": "Something else."}, "Something else."),
        ({**MESSAGES, "reply": "Something else."}, "Something else."),
        ({**STEPS, "steps": [{"text": "Said."}]}, "On Tuesday."),
    ],
)
def test_a_closing_text_that_is_not_the_last_turn_is_kept_for_the_gate(
    row: JsonObject, final: str | None
):
    assert read(row).final_text == final


@pytest.mark.parametrize(
    ("row", "finish"),
    [
        (STEPS, None),
        ({**STEPS, "finish_reason": "length"}, "length"),
        ({**STEPS, "final_text": "<agent error: boom>"}, "error"),
        (conversation(ERROR), "error"),
        (conversation(*MESSAGES["messages"], ERROR), "error"),
        (conversation(ERROR, *MESSAGES["messages"]), None),
        ({**MESSAGES, "final_text": "<agent error: boom>"}, "error"),
        (
            {
                "responses_create_params": {"input": "hi"},
                "response": {"output": [], "status": "incomplete"},
            },
            "length",
        ),
    ],
)
def test_a_bad_end_is_named(row: JsonObject, finish: str | None):
    assert read(row).finish == finish


def test_a_training_row_keeps_its_mask_and_its_line():
    trajectory = read(
        {**TRAINING, "source_line": 12, "final_text": "else", "finish_reason": "error"}
    )
    assert trajectory.loss_mask == [0, 1]
    assert trajectory.source_line == 12
    assert (trajectory.final_text, trajectory.finish) == ("else", "error")
    assert read({**MESSAGES, "source_line": 12}).source_line is None


def test_a_mask_moves_with_a_new_system_prompt():
    assert read(TRAINING, "x").loss_mask == [0, 0, 1]


@pytest.mark.parametrize("mask", [{}, {"loss_mask": None}])
def test_a_training_row_may_come_without_a_mask(mask: JsonObject):
    trajectory = read({**MESSAGES, "prompt_text": "Where?", **mask}, "x")
    assert (trajectory.shape, trajectory.loss_mask) == ("training", None)


def test_columns_that_no_export_writes_are_left_out_and_counted():
    trajectory = read({**TRAINING, "k": 2, "unroll": "all"})
    assert trajectory.columns == {"prompt": "Where?"}
    assert trajectory.repairs == {"export_columns_left_out": 2}


def test_a_staged_row_says_its_task():
    assert read({**TRAINING, "task": "t", "scenario_id": "s"}).task == "t"
    assert read({**TRAINING, "task": 7}).task == "Where?"


def test_a_training_row_says_its_ask():
    row = {**TRAINING, "prompt_text": "Where is it?"}
    assert read(row).columns["prompt"] == "Where is it?"
    assert read({**row, "prompt_text": None}).columns["prompt"] == "Where?"


def test_an_empty_ask_is_none():
    trajectory = read(conversation({"role": "user", "content": ""}))
    assert (trajectory.task, trajectory.columns) == (None, {})


def test_a_training_row_keeps_what_the_export_added():
    group = {"group_id": "g", "k": 2, "n0": 0, "n1": 0}
    added = {"unroll": {"turn": 1, "turns": 2}, "tool_output_truncated": 1, **group}
    assert read({**TRAINING, **added, "reward_mean": None}).columns == {"prompt": "Where?", **added}


def test_a_mask_of_another_length_is_refused():
    with pytest.raises(BadRow) as refused:
        read({**TRAINING, "loss_mask": [1]})
    assert refused.value.at == "$.loss_mask"


def test_a_task_that_no_other_column_tells_is_carried():
    row = {"messages": [{"role": "user", "content": "Hi"}], "task_id": 7}
    found = normalize(row, Surroundings())
    assert (found.task, found.columns) == ("7", {"prompt": "Hi", "task": "7"})
    named = normalize({**row, "scenario_id": "sc-1"}, Surroundings())
    assert (named.task, named.columns) == ("sc-1", {"prompt": "Hi", "scenario_id": "sc-1"})
