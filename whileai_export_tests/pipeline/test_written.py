from __future__ import annotations

from pathlib import Path

import pytest

from whileai_export.pipeline.preference import write_pairs
from whileai_export.pipeline.sft import write_sft
from whileai_export.pipeline.written import NOT_WRITTEN, written_to
from whileai_export.shared.careful import CAREFUL_PAIRS, CAREFUL_SFT
from whileai_export_tests.builders import rows_of, steps_row

ROWS = [
    steps_row(f"Where is {task}?", f"Depot {k}.", 1.0 - k, scenario_id=f"t{task}", rollout_index=k)
    for task in range(3)
    for k in range(2)
]


def output(path: str, rows: int) -> dict:
    return {"path": path, "rows": rows}


def test_of_one_file_it_is_the_path_and_its_rows():
    assert written_to([output("o/a.jsonl", 7)], 3) == {"path": "o/a.jsonl", "n_written": 7}


@pytest.mark.parametrize(
    ("paths", "folder"),
    [
        (("o/a.jsonl", "o/b.jsonl"), "o"),
        (("a.jsonl", "b.jsonl"), "."),
        (("s3://box/o/a.jsonl", "s3://box/o/b.jsonl"), "s3://box/o"),
        (("o/a.jsonl", "p/b.jsonl"), None),
    ],
)
def test_of_several_files_it_is_their_folder_and_the_rows_between_them(paths, folder):
    outputs = [output(path, 2 + n) for n, path in enumerate(paths)]
    assert written_to(outputs, 3) == {"path": folder, "n_written": 3}


def test_of_no_file_it_is_nothing():
    assert written_to([], 3) == NOT_WRITTEN == {"path": None, "n_written": 0}


def test_the_report_of_several_formats_counts_rows_and_pairs_once(tmp_path: Path):
    for write, options, key in (
        (write_sft, CAREFUL_SFT, "n"),
        (write_pairs, CAREFUL_PAIRS, "pairs"),
    ):
        targets = {name: tmp_path / f"{key}.{name}.jsonl" for name in options.formats}
        with write(ROWS, targets, options=options) as outcome:
            outcome.publish()
        assert len(rows_of(targets["openai"])) == len(rows_of(targets["trl"])) == 3
        told = {name: outcome.report[name] for name in (key, "n_written", "path")}
        assert told == {key: 3, "n_written": 3, "path": str(tmp_path)}


def test_without_a_target_nothing_is_written():
    with write_sft(ROWS, {}, options=CAREFUL_SFT) as outcome:
        assert (outcome.report["n"], outcome.report["n_written"]) == (3, 0)
