from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from whileai_export_tests.hard_inputs.ten_thousand import expected, run, told


@pytest.mark.slow
def test_each_bad_kind_among_ten_thousand_rows_is_kept_out_with_its_line_and_reason(tmp_path):
    report, lines, kept = run(tmp_path)
    assert [(record["line"], told(record)) for record in kept] == [
        (number, expected(lines, number)) for number in lines
    ]
    assert report["counts"] == {
        "read": 10_000,
        "unrolled": 0,
        "written": 10_000 - len(lines),
        "quarantined": len(lines),
        "filtered": {},
        "refused": 0,
    }


@pytest.mark.slow
def test_it_takes_less_than_120_megabytes():
    done = subprocess.run(
        [sys.executable, "-m", "whileai_export_tests.hard_inputs.ten_thousand"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    peak = float(done.stdout.partition("peak memory ")[2].partition(" MB")[0])
    assert peak < 120
