from __future__ import annotations

from pathlib import Path

import pytest

from whileai_export import (
    OptionError,
    SourceError,
    build_preference_pairs,
    tool_call_roundtrip,
)
from whileai_export.pipeline.exported import conversations
from whileai_export_tests.builders import chat_row, steps_row


def turn(*calls: object) -> dict:
    return {"role": "assistant", "content": "", "tool_calls": list(calls)}


def call(arguments: object) -> dict:
    return {"id": "a", "type": "function", "function": {"name": "f", "arguments": arguments}}


def checked(messages: list, format: str = "openai") -> tuple[int, int]:
    report = tool_call_roundtrip([{"messages": messages}], format)
    return report["checked"], report["invalid"]


def test_text_of_an_object_is_what_openai_reads():
    assert checked([turn(call('{"a": 1}'), call('"{}"'), call("[]"), call({"a": 1}))]) == (4, 2)


def test_an_object_is_what_trl_reads():
    assert checked([turn(call('{"a": 1}'), call({"a": 1}))], "trl") == (2, 1)


def test_a_flat_call_is_a_call():
    assert checked([turn({"name": "f", "arguments": "{}"})]) == (1, 0)


@pytest.mark.parametrize(
    "calls", [{"a": 1}, "f", [None], ["f"], [7], [{"function": "f"}], [{"function": None}], [{}]]
)
def test_what_is_no_call_is_invalid(calls):
    assert checked([{"role": "assistant", "tool_calls": calls}]) == (1, 1)


def test_odd_messages_hold_no_call():
    assert checked([None, 7, "x", [], {}, {"tool_calls": None}, {"tool_calls": []}]) == (0, 0)


def test_each_side_of_a_pair_is_a_row():
    pair = {"prompt": "p", "chosen": [turn(call("{}"))], "rejected": [turn(call("x"))]}
    assert tool_call_roundtrip([pair, pair])["rows"] == [1, 3]


def test_the_report_names_what_it_checked():
    report = tool_call_roundtrip([], "trl")
    assert (report["encoding"], report["checked_for"]) == ("dict", "arguments that are objects")


@pytest.mark.parametrize("row", [None, "x", [1]])
def test_what_is_no_row_is_named(row):
    with pytest.raises(SourceError, match="row 1: expected an object"):
        tool_call_roundtrip([{"messages": []}, row])


@pytest.mark.parametrize("row", [{}, {"steps": [], "final_text": "x"}, {"messages": "text"}])
def test_a_row_of_no_wire_format_is_refused_by_its_number(row):
    with pytest.raises(SourceError) as refused:
        tool_call_roundtrip([{"messages": []}, row])
    assert str(refused.value) == (
        "row 1: expected a row of a wire format, as training_rows and export_dataset make them"
        " (messages, or prompt and completion), got none"
    )


@pytest.mark.parametrize("rows", ["train.jsonl", Path("train.jsonl"), {"messages": []}, None])
def test_what_is_no_list_of_rows_is_refused(rows):
    with pytest.raises(SourceError, match="expected a list of exported rows, got"):
        tool_call_roundtrip(rows)


def test_the_sides_of_built_pairs_are_checked_where_they_hold_messages():
    sides = {"chosen": chat_row(), "rejected": {"messages": [turn(call("x"))]}}
    report = tool_call_roundtrip([{"prompt": "p", **sides}])
    assert (report["checked"], report["invalid"], report["rows"]) == (1, 1, [1])


def test_the_sides_of_built_pairs_that_hold_steps_are_refused():
    pairs, _ = build_preference_pairs([steps_row(), steps_row(reply="Lost.", reward=0.0)])
    with pytest.raises(SourceError) as refused:
        tool_call_roundtrip(pairs)
    assert str(refused.value) == (
        "row 0: expected chosen and rejected as lists of messages, as export_preference writes"
        " them, got sides of another shape"
    )


def test_a_check_that_compared_nothing_says_so():
    nothing = "tool_call_roundtrip: not checked, there was nothing to compare"
    assert tool_call_roundtrip([])["summary"] == nothing
    assert tool_call_roundtrip([chat_row()])["summary"] == nothing
    report = tool_call_roundtrip([{"messages": [turn(call("{}"), call("x"))]}])
    assert report["summary"] == "tool_call_roundtrip: 2 calls checked, 1 row with findings"


def test_a_format_that_is_none_is_refused():
    with pytest.raises(OptionError, match="format"):
        tool_call_roundtrip([], "csv")


def test_conversations_are_found_in_every_format():
    assert conversations({"messages": [1]}) == [[1]]
    assert conversations({"prompt": [1], "completion": [2]}) == [[1, 2]]
    assert conversations({"prompt": [1], "chosen": [2], "rejected": [3]}) == [[1, 2], [1, 3]]
    assert conversations({"prompt": "ask", "chosen": [2], "rejected": [3]}) == [[2], [3]]
    sides = {"preferred_output": [2], "non_preferred_output": [3]}
    assert conversations({"input": {"messages": [1]}, **sides}) == [[1, 2], [1, 3]]
    rows = {"chosen": {"messages": [2]}, "rejected": {"messages": [3]}}
    assert conversations({"prompt": "ask", **rows}) == [[2], [3]]
    assert conversations({"other": 1}) == []
