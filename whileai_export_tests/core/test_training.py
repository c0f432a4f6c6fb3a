from typing import Any

import pytest

from whileai_export.core.training import (
    is_training,
    mask_under_system,
    read_mask,
    read_source_line,
    with_sound_columns,
)
from whileai_export.shared.errors import BadRow

TURNS: Any = [
    {"role": "user", "content": "hi"},
    {"role": "assistant", "content": "yes?"},
    {"role": "assistant", "content": "so"},
]


def test_a_row_with_a_mask_or_a_prompt_text_is_a_training_row():
    assert is_training({"loss_mask": [1]})
    assert is_training({"prompt_text": "hi"})
    assert not is_training({"loss_mask": None, "prompt_text": None})


def test_a_mask_has_one_entry_a_turn():
    assert read_mask([0, 1, 0], TURNS) == [0, 1, 0]
    assert read_mask(None, TURNS) is None


@pytest.mark.parametrize(
    ("mask", "problem", "at"),
    [
        ("101", "expected a list of 0 and 1, got text", "$.loss_mask"),
        ([0, 1], "expected 3 entries, one a turn, got 2", "$.loss_mask"),
        ([0, 1, 2], "expected 0 or 1, got something else", "$.loss_mask[2]"),
        ([0, True, 1], "expected 0 or 1, got something else", "$.loss_mask[1]"),
        ([0.0, 1, 1], "expected 0 or 1, got something else", "$.loss_mask[0]"),
        (
            [1, 1, 0],
            "expected loss on turns of the assistant, got it on a user turn",
            "$.loss_mask[0]",
        ),
    ],
)
def test_another_mask_is_refused_by_place(mask: Any, problem: str, at: str):
    with pytest.raises(BadRow) as refused:
        read_mask(mask, TURNS)
    assert (refused.value.problem, refused.value.at) == (problem, at)


@pytest.mark.parametrize(
    ("turns", "mask"),
    [(3, [0, 1, 1]), (4, [0, 0, 1, 1]), (2, [0, 1])],
    ids=["prompt_replaced", "prompt_added", "two_prompts_replaced"],
)
def test_a_mask_moves_with_the_system_prompt(turns: int, mask: list[int]):
    assert mask_under_system([0, 1, 1], turns) == mask


def test_a_mask_stays_where_no_turn_came_before_it():
    assert mask_under_system([1, 0, 1], 3) == [1, 0, 1]


@pytest.mark.parametrize(("line", "read"), [(7, 7), (None, None), ("7", None), (True, None)])
def test_a_staged_row_knows_its_source_line(line: object, read: int | None):
    assert read_source_line({"source_line": line}) == read


GROUP = {"group_id": "g", "k": 2, "n0": 1, "n1": 1, "reward_mean": 0.5, "reward_std": 1}


def test_the_columns_of_an_export_stay():
    columns = {"tier": 1, "task": "t", "row_id": "r", "unroll": {"turn": 1}, **GROUP}
    assert with_sound_columns(columns) == (columns, {})
    assert with_sound_columns({"tier": 1}) == ({"tier": 1}, {})


@pytest.mark.parametrize(
    "name", ["tool_output_truncated", "tool_output_chars_cut", "row_id", "task"]
)
def test_each_column_of_an_export_has_its_type(name: str):
    assert with_sound_columns({name: 1.5, "tier": 1})[0] == {"tier": 1}


@pytest.mark.parametrize("name", GROUP)
def test_a_group_is_read_with_every_field_in_its_type_or_not_at_all(name: str):
    assert with_sound_columns({**GROUP, name: "2" if name != "group_id" else 2})[0] == {}
    less = {field: value for field, value in GROUP.items() if field != name}
    assert with_sound_columns(less)[0] == (less if name.startswith("reward") else {})


@pytest.mark.parametrize(
    ("columns", "kept", "count"),
    [
        ({"tier": 1, "reward_std": 0.5, "k": 2}, {"tier": 1}, 2),
        ({"tier": 1, **GROUP, "group_id": [None]}, {"tier": 1}, 6),
        ({"tier": 1, **GROUP, "k": "two"}, {"tier": 1}, 6),
        ({"tier": 1, "group_id": "g"}, {"tier": 1}, 1),
        ({"row_id": 7, "task": {}, "unroll": "x"}, {}, 3),
    ],
    ids=[
        "part_of_a_group",
        "group_without_name",
        "group_of_text",
        "name_alone",
        "ids_of_another_kind",
    ],
)
def test_columns_that_no_export_writes_are_left_out_and_counted(
    columns: Any, kept: Any, count: int
):
    assert with_sound_columns(columns) == (kept, {"export_columns_left_out": count})
