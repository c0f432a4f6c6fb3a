from typing import Any

import pytest

from whileai_export.core.training import (
    is_training,
    mask_under_system,
    read_mask,
    read_source_line,
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


@pytest.mark.parametrize(("line", "read"), [(7, 7), (None, None), ("7", None), (True, None)])
def test_a_staged_row_knows_its_source_line(line: object, read: int | None):
    assert read_source_line({"source_line": line}) == read
