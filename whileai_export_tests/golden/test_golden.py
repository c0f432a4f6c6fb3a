"""Whole files, byte for byte. ``python -m whileai_export_tests.golden.renew`` writes them anew."""

from __future__ import annotations

import pytest

from whileai_export_tests.golden.files import CASES, FOLDER, made
from whileai_export_tests.strict import strict_rows


@pytest.mark.parametrize("name", CASES)
def test_the_file_is_the_one_on_record(name, tmp_path):
    assert made(name, tmp_path) == (FOLDER / name).read_bytes()


@pytest.mark.parametrize("name", CASES)
def test_the_file_on_record_holds_to_the_rules_of_bytes(name):
    assert strict_rows((FOLDER / name).read_bytes())


def test_every_file_on_record_is_made_by_a_case():
    assert {path.name for path in FOLDER.glob("*.*.jsonl")} == set(CASES)
