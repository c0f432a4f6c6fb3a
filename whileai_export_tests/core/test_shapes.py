from typing import Any

import pytest

from whileai_export.core.shapes import conversation_shape, shape_of
from whileai_export.shared.errors import BadRow

PAIRS = r"a preference pair \(export_preference takes those\)"
TURNS = [{"role": "user", "content": "hi"}]
REQUEST = {"responses_create_params": {}, "response": {"output": []}}


@pytest.mark.parametrize(
    ("row", "shape"),
    [
        ({"messages": TURNS, "loss_mask": [0], **REQUEST}, "training"),
        ({"messages": TURNS, "prompt_text": "hi"}, "training"),
        ({**REQUEST, "messages_json": "[]", "messages": TURNS}, "responses"),
        ({"messages_json": "[]", "messages": TURNS}, "flat"),
        ({"messages": TURNS, "steps": [{"text": "x"}]}, "messages"),
        ({"steps": [], "tool_trace": None}, "steps"),
        ({"messages": None, "loss_mask": [1], "steps": []}, "steps"),
        ({"tool_trace": [], "steps": None}, "platform"),
        ({"responses_create_params": {}, "response": "x", "steps": []}, "steps"),
    ],
)
def test_the_first_shape_that_fits_is_taken(row: dict[str, Any], shape: str):
    assert shape_of(row) == shape


@pytest.mark.parametrize(
    ("row", "shape"),
    [
        ({"messages": [], "steps": [{"text": "x"}]}, "steps"),
        ({"messages": [], "steps": [], "tool_trace": [{"tool": "f"}]}, "platform"),
        ({"messages": [], "steps": []}, "steps"),
        ({"messages": []}, "messages"),
        ({"messages": [], "prompt": "hi", "final_text": "x"}, "steps"),
        ({"prompt": "hi", "final_text": "x"}, "steps"),
    ],
)
def test_what_is_filled_comes_before_what_is_empty(row: dict[str, Any], shape: str):
    assert conversation_shape(row) == shape


@pytest.mark.parametrize(
    "row", [{}, {"prompt": "hi"}, {"input": "a", "output": "b"}, {"messages": None}]
)
def test_a_row_of_no_shape_is_refused(row: dict[str, Any]):
    with pytest.raises(BadRow, match="expected a row with messages, steps, tool_trace"):
        shape_of(row)


@pytest.mark.parametrize(
    ("row", "name"),
    [
        ({"prompt": "hi", "chosen": TURNS, "rejected": TURNS}, PAIRS),
        ({"messages": TURNS, "chosen": TURNS, "rejected": TURNS}, PAIRS),
        ({"prompt": TURNS, "completion": TURNS}, "a row of format trl-completion"),
        ({"prompt": TURNS, "completion": TURNS, "label": True}, "a row of format kto"),
        ({"input": {"messages": TURNS}, "preferred_output": TURNS}, "a row of format fireworks"),
    ],
)
def test_a_format_of_a_trainer_is_refused_by_name(row: dict[str, Any], name: str):
    with pytest.raises(BadRow, match=f"expected a trajectory, got {name}"):
        shape_of(row)


def test_a_column_of_such_a_name_alone_is_no_format():
    assert shape_of({"messages": TURNS, "chosen": True, "completion": "x"}) == "messages"
