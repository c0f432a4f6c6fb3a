from __future__ import annotations

import json

import pytest

from whileai_export.pipeline import first_chunk
from whileai_export.pipeline.first_chunk import unfit


def lines(*rows: object) -> list[bytes]:
    return [json.dumps(row).encode() for row in rows]


def turns(*messages: dict[str, object]) -> dict[str, object]:
    return {"messages": list(messages)}


ASK = {"role": "user", "content": "Where is order A7?"}
CALL = {"role": "assistant", "content": "", "tool_calls": [{"id": "1", "arguments": {"a": 1}}]}


def test_messages_whose_keys_differ_hold_anything():
    assert list(unfit(lines(turns(ASK, CALL), turns(ASK)))) == []


def test_texts_that_are_all_dates_become_dates():
    row = turns({"role": "assistant", "content": "2024-01-01"})
    told = "texts that look like dates become dates"
    assert list(unfit(lines(row, row))) == [(0, "$.messages[].content", told)]


def test_one_text_that_is_no_date_keeps_them_all_texts():
    dates = [turns({"role": "assistant", "content": text}) for text in ("2024-01-01", "soon")]
    assert list(unfit(lines(*dates))) == []


@pytest.fixture
def first_row_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first chunk ends with the row that passes its size."""
    monkeypatch.setattr(first_chunk, "FIRST_BYTES", 1)


@pytest.mark.usefixtures("first_row_alone")
@pytest.mark.parametrize(
    ("first", "late", "at", "problem"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, "$.b", "it first comes after the first 10 MB"),
        ({"a": 1}, {"a": 0.5}, "$.a", "a fraction first comes after the first 10 MB"),
        ({"a": None}, {"a": "x"}, "$.a", "text first comes after the first 10 MB"),
        (
            turns(ASK),
            turns(ASK, CALL),
            "$.messages[].tool_calls",
            "it first comes after the first 10 MB",
        ),
        ({"a": [{"b": 1, "c": 2}]}, {"a": [{"b": 1}]}, "$.a[]", "an absent key comes back as null"),
    ],
)
def test_what_comes_late_does_not_fit(first: object, late: object, at: str, problem: str):
    assert list(unfit(lines(first, late))) == [(1, at, problem)]


@pytest.mark.usefixtures("first_row_alone")
@pytest.mark.parametrize(
    ("first", "late"),
    [
        ({"a": 0.5}, {"a": 1}),
        ({"a": 1, "b": "x"}, {"a": None, "b": None}),
        (turns(ASK, CALL), turns(ASK, {**CALL, "reasoning_content": "so"})),
        ({"a": {}}, {"a": {"b": 1}}),
    ],
)
def test_what_comes_late_may_fit(first: object, late: object):
    assert list(unfit(lines(first, late))) == []


@pytest.mark.usefixtures("first_row_alone")
def test_a_place_is_named_once():
    rows = lines({"a": 1}, {"a": "x"}, {"a": "y"})
    assert [row for row, _, _ in unfit(rows)] == [1]
