from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from whileai_export.cli.dry import Around
from whileai_export.cli.selected import WHY, first_rows
from whileai_export.shared.errors import ExportError
from whileai_export_tests.cli.calling import call


def row(rollout: int, reward: float | None, reply: str, **more: Any) -> dict[str, Any]:
    row = {"scenario_id": "t", "rollout_index": rollout, "reward": reward, "prompt": "Hi"}
    return {**row, "final_text": reply, **more}


def written(tmp_path: Path, *rows: dict[str, Any]) -> str:
    file = tmp_path / "runs.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return str(file)


def reasons(source: str, count: int = 40) -> list[tuple[int, str]]:
    rows = first_rows(source, Around(), range(count)).rows
    return [(shown.number, shown.left_out) for shown in rows if not shown.kept_out]


def test_what_an_export_leaves_out_says_why(tmp_path: Path):
    source = written(
        tmp_path,
        row(0, 0.0, "Bad."),
        row(1, 1.0, "Good."),
        row(2, 1.0, "Good."),
        row(3, None, "Who knows."),
        row(4, 1.0, "Halfw", finish_reason="length"),
        row(5, 1.0, "Better."),
        row(6, 7, "Too much."),
        {**row(7, 1.0, ""), "messages": [{"role": "user", "content": "Hello?"}]},
    )
    assert reasons(source) == [
        (0, "min_reward"),
        (1, ""),
        (2, "duplicate"),
        (3, "ungraded"),
        (4, "failed"),
        (5, ""),
        (6, "ungraded"),
        (7, "nothing_trained"),
    ]
    assert {reason for _, reason in reasons(source)} - WHY.keys() == {""}


def test_where_no_row_is_graded_every_row_is_left_out_for_that(tmp_path: Path):
    assert reasons(written(tmp_path, row(0, None, "One."), row(1, None, "Two."))) == [
        (0, "ungraded"),
        (1, "ungraded"),
    ]


def test_where_an_export_writes_none_of_them_the_first_that_it_writes_is_named(tmp_path: Path):
    source = written(
        tmp_path, row(0, 0.0, "Bad."), row(1, None, "Who knows."), row(2, 1.0, "Good.")
    )
    assert first_rows(source, Around(), range(1)).written == 2
    assert first_rows(source, Around(), range(3)).written is None


def test_rows_have_the_numbers_that_findings_call_them_by(leaking: Path):
    numbers = [number for number, _ in reasons(str(leaking))]
    assert numbers == [n for n in range(32) if n not in (7, 18, 27)]


def test_a_row_that_is_kept_out_says_the_gate_and_the_place_and_the_export_is_refused(
    leaking: Path,
):
    found = first_rows(str(leaking), Around(), range(18, 19))
    (shown,) = found.rows
    assert (shown.number, shown.line, shown.row) == (18, 19, {})
    assert (shown.kept_out["gate"], shown.kept_out["at"]) == (
        "privileged_leak",
        "$.messages[5].tool_calls[0].arguments.note",
    )
    assert found.refusal is not None
    assert found.refusal.code == "privileged_leak"
    assert found.written is None


def test_too_many_rows_that_cannot_be_read_refuse_the_export(tmp_path: Path):
    source = written(tmp_path, row(0, 1.0, "Good."))
    Path(source).write_text("{torn\n" + Path(source).read_text("utf-8"), "utf-8")
    found = first_rows(source, Around(), range(2))
    assert [bool(shown.kept_out) for shown in found.rows] == [True, False]
    assert found.refusal is not None
    assert found.refusal.code == "quarantine_limit"


def test_the_turns_after_the_last_reply_are_left_out_as_an_export_does(tmp_path: Path):
    turns = [{"role": role, "content": role} for role in ("user", "assistant", "user")]
    (shown,) = first_rows(written(tmp_path, {"messages": turns}), Around(), range(1)).rows
    assert [turn["role"] for turn in shown.row["messages"]] == ["user", "assistant"]


def test_what_is_shown_as_taught_is_what_an_export_writes(leaking: Path, tmp_path: Path):
    aside = ["--on-leak", "quarantine", "--max-quarantined", "0.1"]
    call("export", leaking, "-o", tmp_path / "t.jsonl", *aside)
    rows = [json.loads(line) for line in (tmp_path / "t.jsonl").read_text("utf-8").splitlines()]
    shown = first_rows(str(leaking), Around(), range(40)).rows
    taught = [s.row for s in shown if s.row and not s.left_out]
    assert [row["row_id"] for row in taught] == [row["row_id"] for row in rows]


def test_the_rows_of_a_training_file_were_selected_before(clean: Path, tmp_path: Path):
    everything = ("--min-reward", "none", "--no-dedupe", "--no-drop-failed")
    call("export", clean, "-o", tmp_path / "t.jsonl", *everything)
    assert {reason for _, reason in reasons(str(tmp_path / "t.jsonl"))} == {""}


def test_the_system_prompt_that_is_given_is_shown(clean: Path):
    (shown,) = first_rows(str(clean), Around("Be kind."), range(1)).rows
    assert shown.row["messages"][0] == {"role": "system", "content": "Be kind."}


def test_a_source_of_which_no_row_can_be_read_is_refused(tmp_path: Path):
    file = tmp_path / "runs.jsonl"
    file.write_text("{torn\n[]\n", "utf-8")
    with pytest.raises(ExportError, match="none of 2 rows can be read: line 1"):
        first_rows(str(file), Around(), range(1))
