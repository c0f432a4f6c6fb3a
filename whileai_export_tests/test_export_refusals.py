"""What the exporters refuse, and what they leave behind then."""

from __future__ import annotations

import json

import pytest

from whileai_export import (
    GateError,
    OptionError,
    SourceError,
    export_dataset,
    export_preference,
)
from whileai_export_tests.builders import (
    PAIR,
    bad_call_row,
    balanced,
    chat_row,
    jsonl,
    leaking_row,
    rows_of,
    steps_row,
)


def test_private_text_is_nowhere_in_a_report_or_an_error(tmp_path):
    source = jsonl(tmp_path / "s.jsonl", [leaking_row(), steps_row()])
    with pytest.raises(GateError) as caught:
        export_dataset(source)
    assert "4418" not in str(caught.value) + json.dumps(caught.value.report)
    assert "4418" not in json.dumps(export_dataset(source, validate=False))


@pytest.mark.parametrize(
    ("row", "options", "code"),
    [
        (bad_call_row(), {}, "tool_call_roundtrip_invalid"),
        (leaking_row(), {}, "privileged_leak"),
        (
            {"messages": [{"role": "assistant", "content": "a"}]},
            {"strict": True},
            "structure_invalid",
        ),
        (bad_call_row(), {"on_bad_row": "quarantine"}, "quarantine_limit"),
        (leaking_row(), {"on_leak": "quarantine"}, "quarantine_limit"),
    ],
)
def test_a_gate_that_refuses_leaves_the_old_file(tmp_path, row, options, code):
    output = tmp_path / "o.jsonl"
    output.write_text("old\n")
    with pytest.raises(GateError) as caught:
        export_dataset([steps_row(), row], output, **options)
    assert caught.value.code == code
    assert str(caught.value).startswith(f"{code}: ")
    assert balanced(caught.value.report)
    assert caught.value.report["counts"]["refused"] == 2
    assert [path.name for path in tmp_path.iterdir()] == ["o.jsonl"]
    assert output.read_text() == "old\n"


def test_every_offender_is_counted_and_twenty_are_named():
    with pytest.raises(GateError) as caught:
        export_dataset([bad_call_row() for _ in range(30)])
    seen = caught.value.report["findings"]["tool_call_roundtrip"]
    assert (seen["count"], len(seen["named"])) == (30, 20)
    assert caught.value.report["tool_call_roundtrip"]["rows"] == list(range(20))


def test_an_unreadable_row_is_refused_whatever_validate_says(tmp_path):
    source = jsonl(
        tmp_path / "s.jsonl", [steps_row(), "", '{"messages": [{"role": "ghost"}]}', "x"]
    )
    with pytest.raises(SourceError) as caught:
        export_dataset(source, validate=False)
    assert caught.value.line == 3
    assert "1 more row like it" in str(caught.value)
    assert balanced(caught.value.report)


def test_an_unreadable_row_in_memory_is_named_by_its_number():
    with pytest.raises(SourceError, match="row 1: expected an object"):
        export_dataset([steps_row(), 7])


def test_the_source_is_never_taken_for_the_quarantine(tmp_path):
    source = jsonl(tmp_path / "s.jsonl", [steps_row()])
    with pytest.raises(OptionError, match="the output is the source"):
        export_dataset(source, tmp_path / "o.jsonl", on_bad_row="quarantine", quarantine=source)
    assert rows_of(source) == [steps_row()]


def test_the_source_is_never_the_output(tmp_path):
    source = jsonl(tmp_path / "s.jsonl", [steps_row(reward=0.0)])
    (tmp_path / "link.jsonl").symlink_to(source)
    for output in (source, tmp_path / "link.jsonl", tmp_path / "." / "s.jsonl"):
        with pytest.raises(OptionError, match="the output is the source"):
            export_dataset(source, output, min_reward=0.5)
    assert rows_of(source) == [steps_row(reward=0.0)]


def test_nothing_left_to_write_is_refused_with_the_reasons(tmp_path):
    output = tmp_path / "o.jsonl"
    output.write_text("old\n")
    with pytest.raises(SourceError, match="no row is left to write: 2 min_reward"):
        export_dataset([chat_row(reward=0.0)] * 2, output, min_reward=0.5)
    assert output.read_text() == "old\n"


def test_all_rows_ungraded_is_refused_by_the_options_name(tmp_path):
    rows = [chat_row(reward=None), chat_row(reward="1"), 7]
    with pytest.raises(OptionError, match=r"min_reward=0\.5: all 2 readable rows are ungraded"):
        export_dataset(rows, min_reward=0.5, on_bad_row="quarantine", max_quarantined=0.5)


def test_no_rows_at_all_are_refused(tmp_path):
    for rows in ([], iter(())):
        with pytest.raises(SourceError, match="expected rows, got none"):
            export_dataset(rows, tmp_path / "o.jsonl")


def test_no_pair_is_refused_by_code(tmp_path):
    with pytest.raises(GateError) as caught:
        export_preference([{**PAIR, "rejected": PAIR["chosen"]}], tmp_path / "p.jsonl")
    assert caught.value.code == "no_preference_pairs"
    assert caught.value.report["equal_dropped"] == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"format": "parquet"}, "format: expected one of"),
        ({"columns": "reward"}, "columns: expected a list of names, got text"),
        ({"columns": ["privileged"]}, "columns: privileged are private"),
        ({"columns": ["metadata_json"]}, "columns: metadata_json are private"),
        ({"columns": [7]}, "columns: expected names, got int"),
        ({"columns": ["id", "meta_id"]}, "columns: two columns would be called meta_id"),
        ({"workers": 0}, "workers: expected a whole number from 1, got 0"),
        ({"workers": "2"}, "workers: expected a whole number from 1, got '2'"),
        ({"adapter": "nowhere:fn"}, "adapter: module 'nowhere' cannot be imported"),
        ({"min_reward": 2}, "min_reward: expected a number from 0 to 1, got 2"),
        ({"strict": "yes"}, "strict: expected true or false"),
        ({"dedupe": 1}, "dedupe: expected true or false"),
        ({"system_prompt": 7}, "system_prompt: expected text, got int"),
        ({"tools": [{"name": "x", "parameters": {"n": {1, 2}}}]}, r"tools\[0\].*expected JSON"),
    ],
)
def test_an_option_that_cannot_be_meant_is_refused_by_name(tmp_path, options, problem):
    for export in (export_dataset, export_preference):
        rows = [steps_row()] if export is export_dataset else [PAIR]
        with pytest.raises(OptionError, match=problem):
            export(rows, tmp_path / "o.jsonl", **options)
    assert list(tmp_path.iterdir()) == []


def test_rows_that_are_kept_out_have_their_file_also_where_nothing_else_is_written(tmp_path):
    rows, kept = [*[chat_row()] * 19, bad_call_row()], tmp_path / "kept.jsonl"
    report = export_dataset(rows, on_bad_row="quarantine", quarantine=kept)
    assert (report["counts"]["quarantined"], report["output"]) == (1, None)
    assert [entry["row"] for entry in rows_of(kept)] == [19]
    assert [path.name for path in tmp_path.iterdir()] == ["kept.jsonl"]
    # What is kept no longer has no file any more.
    export_dataset(rows[:19], on_bad_row="quarantine", quarantine=kept)
    assert not kept.exists()
