from __future__ import annotations

from typing import Any

import pytest

from whileai_export.shared.trainer_rows import trainer_row

TURNS = [{"role": "user", "content": "hi"}]
PAIR = {"chosen": TURNS, "rejected": TURNS}


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"prompt": "hi", **PAIR}, "a preference pair (export_preference takes those)"),
        ({"prompt": TURNS, "completion": TURNS}, "a row of format trl-completion"),
        ({"prompt": TURNS, "completion": TURNS, "label": True}, "a row of format kto"),
        ({"input": {"messages": TURNS}, "preferred_output": TURNS}, "a row of format fireworks"),
    ],
)
def test_a_row_of_a_trainer_is_told_by_its_columns(row: dict[str, Any], told: str):
    assert trainer_row(row) == told


@pytest.mark.parametrize(
    "row",
    [
        {},
        {"messages": TURNS},
        {"chosen": TURNS, "rejected": None},
        {"prompt": "a", "completion": "b"},
    ],
)
def test_what_may_be_a_trajectory_is_none(row: dict[str, Any]):
    assert trainer_row(row) is None
