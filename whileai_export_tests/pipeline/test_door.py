from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from whileai_export import export_dataset
from whileai_export.pipeline.door import read_row, settled
from whileai_export.shared.errors import BadRow, SourceError
from whileai_export_tests.builders import chat_row, job, jsonl, rows_of

BARE = b'{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}'


def failing(row):
    raise KeyError(row["messages"][0]["content"])


def test_a_line_and_an_object_are_read_alike():
    assert read_row(BARE, job()).messages == read_row(chat_row("a", "b"), job()).messages


def test_what_was_mended_is_counted():
    assert read_row(chat_row("\ud800"), job()).repairs == {"surrogates_replaced": 1}


def test_what_is_no_object_is_no_row():
    with pytest.raises(BadRow, match="expected an object, got"):
        settled([1], job())


def test_an_adapter_sees_the_row_before_anybody_judges_it():
    adapted = replace(job(), adapter=lambda row: chat_row(row["q"], row["a"]))
    assert [m["content"] for m in read_row({"q": "x", "a": "y"}, adapted).messages] == ["x", "y"]


def test_a_failing_adapter_is_told_by_its_errors_name_and_line_alone():
    line = failing.__code__.co_firstlineno + 1
    said = rf"^the adapter failed with KeyError \(test_door.py, line {line}\)$"
    with pytest.raises(BadRow, match=said):
        read_row(chat_row("secret text"), replace(job(), adapter=failing))


def test_an_adapter_that_exits_is_told_by_that_alone_too():
    with pytest.raises(BadRow, match=r"^the adapter failed with SystemExit$"):
        read_row(chat_row("secret text"), replace(job(), adapter=sys.exit))


def test_a_failing_adapter_is_a_bad_row_with_its_line(tmp_path):
    source = jsonl(tmp_path / "s.jsonl", ["", chat_row()])
    with pytest.raises(SourceError, match="line 2: the adapter failed with KeyError"):
        export_dataset(source, adapter=failing)


def test_an_adapter_that_gives_no_object_makes_a_bad_row():
    with pytest.raises(BadRow, match="expected an object, got"):
        read_row(chat_row(), replace(job(), adapter=lambda row: None))


def test_a_column_that_is_asked_for_is_read_from_the_row():
    asked = replace(job(), extras=("city", "absent"))
    assert read_row(chat_row(city="Köln"), asked).columns["city"] == "Köln"
    assert "absent" not in read_row(chat_row(city="Köln"), asked).columns


def test_a_column_that_is_asked_for_is_scrubbed_and_that_is_counted():
    asked = replace(job(), extras=("city",))
    found = read_row(chat_row(city={"name": "Köln", "rubric": "x", "n": float("nan")}), asked)
    assert found.columns["city"] == {"name": "Köln", "n": None}
    assert found.repairs == {"private_keys_removed": 1, "nan_nulled": 1}


def test_a_column_that_was_moved_aside_is_found_again(tmp_path):
    once, twice = tmp_path / "once.jsonl", tmp_path / "twice.jsonl"
    export_dataset([chat_row(label="good")], once, columns=["label"])
    assert rows_of(once)[0]["meta_label"] == "good"
    export_dataset(once, twice, columns=["label"])
    assert once.read_bytes() == twice.read_bytes()
