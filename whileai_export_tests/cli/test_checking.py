from __future__ import annotations

import json
from pathlib import Path

from whileai_export_tests.cli.calling import call


def test_a_clean_file_holds(clean: Path):
    done = call("check", clean)
    assert done.exit_code == 0, done.output
    assert done.output.rstrip().endswith("48 rows, every gate holds")


def test_a_leaking_file_does_not(leaking: Path):
    done = call("check", leaking)
    assert done.exit_code == 1
    assert "privileged_leak: 3 of 32 rows" in done.output


def test_a_training_file_can_be_checked_too(clean: Path, tmp_path: Path):
    call("export", clean, "-o", tmp_path / "t.jsonl")
    done = call("check", tmp_path / "t.jsonl")
    assert done.exit_code == 0, done.output
    assert "not checked" in done.output


def test_for_machines_it_is_the_report(clean: Path):
    assert json.loads(call("check", clean, "--json").output)["counts"]["read"] == 48
