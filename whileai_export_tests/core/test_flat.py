import json
from typing import Any

import pytest

from whileai_export.core.flat import is_flat, unfolded
from whileai_export.shared.errors import BadRow

MESSAGES = [{"role": "user", "content": "hi"}]


@pytest.mark.parametrize("column", ["messages_json", "steps_json", "metadata_json"])
def test_a_row_is_flat_by_any_of_its_text_columns(column: str):
    assert is_flat({column: "[]"})
    assert not is_flat({column: None})


def test_text_columns_are_decoded():
    row = {"prompt": "hi", "messages_json": json.dumps(MESSAGES), "steps_json": "[]"}
    assert unfolded(row) == ({"prompt": "hi", "messages": MESSAGES, "steps": []}, {})


@pytest.mark.parametrize("empty", [None, ""])
def test_an_empty_text_column_is_absent(empty: Any):
    assert unfolded({"messages_json": "[]", "steps_json": empty, "metadata_json": empty}) == (
        {"messages": []},
        {},
    )


def test_metadata_fills_in_what_the_row_does_not_say():
    metadata = {"tier": "m", "stance": "m", "privileged": {"a": 1}, "steps": 3}
    row = {"metadata_json": json.dumps(metadata), "tier": "row", "stance": None, "prompt": "hi"}
    assert unfolded(row)[0] == {
        "tier": "row",
        "stance": "m",
        "privileged": {"a": 1},
        "prompt": "hi",
    }


def test_a_column_that_is_decoded_already_is_kept():
    assert unfolded({"messages_json": MESSAGES})[0] == {"messages": MESSAGES}


def test_numbers_are_read_as_they_are_written():
    row = {"steps_json": '[{"tool": "f", "arguments": {"n": 18446744073709551616}}]'}
    assert unfolded(row)[0]["steps"][0]["arguments"] == {"n": 2**64}


def test_lone_surrogates_are_replaced_and_counted():
    text = '[{"role": "user", "content": "\\ud800"}]'
    assert unfolded({"messages_json": text, "metadata_json": '{"a": "\\udfff"}'}) == (
        {"messages": [{"role": "user", "content": "\ufffd"}], "a": "\ufffd"},
        {"surrogates_replaced": 2},
    )


@pytest.mark.parametrize(
    ("row", "problem", "at"),
    [
        ({"messages_json": "[{"}, "expected JSON, got other text", "$.messages_json"),
        ({"steps_json": '[{"a": 1, "a": 2}]'}, "one value for each key", "$.steps_json"),
        ({"steps_json": "[" * 300 + "]" * 300}, "at most 254 levels", "$.steps_json[0]"),
        ({"steps_json": "[" * 100_000}, "at most 200 levels", "$.steps_json"),
        ({"metadata_json": "[1]"}, "expected an object, got a list", "$.metadata_json"),
    ],
)
def test_a_column_that_cannot_be_read_is_refused_by_name(
    row: dict[str, Any], problem: str, at: str
):
    with pytest.raises(BadRow, match=problem) as refused:
        unfolded(row)
    assert refused.value.at.startswith(at)
