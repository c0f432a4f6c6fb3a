from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from whileai_export.cli.door import Door
from whileai_export.cli.dry import Around
from whileai_export.cli.fitness import looked_at
from whileai_export.shared.errors import ExportError
from whileai_export_tests.cli.calling import call


def no_project() -> Any:
    raise AssertionError


DOOR = Door(no_project, ("add", "runs.jsonl", "--name", "s"), as_json=True)


def test_what_all_rows_lack_is_said_with_the_option_that_gives_it(clean: Path):
    (said,) = looked_at(clean, Around(), DOOR)
    lacking = "48 rows without a system prompt, 48 rows without tool schemas; add it again with: "
    assert said.startswith(lacking)
    assert said.endswith(" add runs.jsonl --name s --system-prompt FILE --tools FILE --replace")
    assert looked_at(clean, Around("Be kind.", [{"name": "read_ticket"}]), DOOR) == []


def test_what_was_given_is_given_again(clean: Path):
    typed = ("add", "runs.jsonl", "--name", "s", "--system-prompt", "policy.md", "--replace")
    (said,) = looked_at(clean, Around("Be kind."), Door(no_project, typed, as_json=True))
    assert said.startswith("48 rows without tool schemas; add it again with: ")
    assert said.endswith(
        " add runs.jsonl --name s --system-prompt policy.md --tools FILE --replace"
    )


def test_rows_that_a_run_will_refuse_are_warned_of(leaking: Path):
    assert looked_at(leaking, Around("Be kind.", [{"name": "track"}]), DOOR) == [
        "3 of 32 rows quote the grader's private block: a run refuses them"
    ]


def test_a_training_file_is_warned_of(clean: Path, tmp_path: Path):
    call("export", clean, "-o", tmp_path / "t.jsonl")
    assert looked_at(tmp_path / "t.jsonl", Around("Be kind.", [{"name": "a"}]), DOOR) == [
        "28 rows of a training file: training rows carry no privileged block: "
        "the leak gate has nothing to check"
    ]


def test_pairs_are_refused(clean: Path, tmp_path: Path):
    call("preference", clean, "--format", "trl", "-o", tmp_path / "p.jsonl")
    with pytest.raises(ExportError, match=r"got preference pairs \(trl\); this looks at them: "):
        looked_at(tmp_path / "p.jsonl", Around(), DOOR)


def test_training_rows_that_no_export_reads_are_refused(clean: Path, tmp_path: Path):
    call("export", clean, "--format", "kto", "--min-reward", "none", "-o", tmp_path / "k.jsonl")
    with pytest.raises(ExportError, match=r"that only a trainer reads \(kto\); this looks at"):
        looked_at(tmp_path / "k.jsonl", Around(), DOOR)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "runs.jsonl: expected rows, got an empty file"),
        ("\n\n", "expected rows, got none"),
        ("{broken\n[1]\n", "runs.jsonl: none of 2 rows can be read: line 1, "),
    ],
)
def test_a_file_without_a_row_is_refused(text: str, problem: str, tmp_path: Path):
    file = tmp_path / "runs.jsonl"
    file.write_text(text, "utf-8")
    with pytest.raises(ExportError, match=problem):
        looked_at(file, Around(), DOOR)
