from __future__ import annotations

from pathlib import Path

from whileai_export.pipeline.numbering import lines_of_rows


def test_a_blank_line_holds_no_row(tmp_path: Path):
    file = tmp_path / "runs.jsonl"
    file.write_text('{"a": 1}\n\n  \n{torn\n{"a": 2}', "utf-8")
    assert list(lines_of_rows(file)) == [1, 4, 5]


def test_rows_in_memory_stand_on_no_line():
    assert list(lines_of_rows([{"a": 1}, {"a": 2}])) == [None, None]
