from __future__ import annotations

from pathlib import Path

import pytest

from whileai_export import GateError
from whileai_export.io.source import opened
from whileai_export.pipeline.chunk import run_chunk
from whileai_export.pipeline.files import source_of
from whileai_export.pipeline.outcome import Outcome
from whileai_export.pipeline.report import sft_report
from whileai_export.pipeline.workbench import Workbench
from whileai_export.shared.options import SftOptions
from whileai_export.shared.tally import NO_MARKS
from whileai_export_tests.builders import chat_row, job, jsonl, leaking_row, names


def outcome(folder: Path, *rows: dict, **asked: bool) -> Outcome:
    source, made = jsonl(folder / "s.jsonl", rows), job()
    parts = [run_chunk(made, enumerate(rows, 1))]
    with (
        opened(source) as found,
        Workbench(source, found, {"openai": folder / "o.jsonl"}, {}) as bench,
        bench.joined(made, parts, NO_MARKS) as join,
    ):
        report = sft_report(SftOptions(), join.tally, join.marks, written=join.written, groups=0,
                            gates=(), refuses=frozenset())  # fmt: skip
        report["source"] = source_of(found, join.tally)
        return bench.outcome(report, made, join.tally, join, **asked)


def test_what_was_joined_is_staged_and_can_be_published(tmp_path):
    with outcome(tmp_path, chat_row(), chat_row("b")) as made:
        assert (made.refusal, made.empty, made.report["outputs"][0]["rows"]) == (None, False, 2)
        made.publish()
    assert names(tmp_path) == ["o.jsonl", "s.jsonl"]


def test_the_columns_of_a_group_are_there_where_they_are_asked_for(tmp_path):
    with outcome(tmp_path, chat_row(), chat_row(), grouped=True) as made:
        assert "group_id" in made.report["outputs"][0]["columns"]
    with outcome(tmp_path, chat_row(), chat_row()) as made:
        assert "group_id" not in made.report["outputs"][0]["columns"]


def test_what_is_refused_leaves_nothing_behind(tmp_path):
    with outcome(tmp_path, chat_row(), leaking_row()) as made:
        assert isinstance(made.refusal, GateError)
        assert (made.empty, made.report["outputs"]) == (True, [])
        assert names(tmp_path) == ["s.jsonl"]


def test_an_error_discards_what_is_staged(tmp_path):
    source = jsonl(tmp_path / "s.jsonl", [chat_row()])

    def begun(bench: Workbench) -> None:
        bench.staging.open(tmp_path / "o.jsonl").write(b"row\n")
        assert len(names(tmp_path)) == 2
        raise KeyError

    with (
        opened(source) as found,
        pytest.raises(KeyError),
        Workbench(source, found, {"openai": tmp_path / "o.jsonl"}, {}) as bench,
    ):
        begun(bench)
    assert names(tmp_path) == ["s.jsonl"]
