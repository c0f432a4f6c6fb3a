from __future__ import annotations

from pathlib import Path

from whileai_export.cli import dry
from whileai_export.shared.errors import GateError
from whileai_export.shared.options import SftOptions


def test_a_refusal_is_handed_back_not_raised(leaking: Path, tmp_path: Path):
    report, refusal = dry.sft(str(leaking), dry.Around(), SftOptions())
    assert isinstance(refusal, GateError)
    assert report["counts"]["refused"] == 32
    assert [path.name for path in tmp_path.iterdir()] == [leaking.name]


def test_pairs_are_counted_of_the_rows_that_the_gates_let_through(leaking: Path):
    report, refusal = dry.pairs(str(leaking), dry.Around())
    assert refusal is None
    assert report["pairs"] == 7


def test_the_gates_that_only_warn_are_asked_too(clean: Path):
    report, _ = dry.sft(str(clean), dry.Around(), SftOptions())
    assert report["findings"]["secrets"]["n_checked"] == 48
    assert {"tool_schema", "policy"} < report["findings"].keys()
