from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from whileai_export.cli import steps
from whileai_export.shared.project import Step

BARE = (
    "6 rows have no tool schemas while tools are called"
    " (from the option tools, the row, profile.json or the sidecar)"
)
WRITTEN = Step(
    "sft_jsonl",
    "written",
    {"counts": {"read": 9, "written": 6, "filtered": {"min_reward": 3}}},
    ("home/sft/a/sft.openai.jsonl",),
)
REFUSED = Step(
    "training_rows",
    "refused",
    {
        "counts": {"read": 10, "quarantined": 0},
        "options": {"max_quarantined": 0.05},
        "findings": {
            "privileged_leak": {
                "count": 1,
                "refuses": True,
                "named": [{"row": 3, "line": 4, "at": "$.final_text", "problem": "quotes it"}],
            }
        },
    },
    problem="privileged_leak: 1 of 10 rows",
    code="privileged_leak",
)


def test_a_written_step_tells_its_numbers_and_files(capsys: pytest.CaptureFixture[str]):
    steps.show("a", [WRITTEN], {})
    assert capsys.readouterr().out == (
        "\na\n"
        "  sft_jsonl  written  9 read, 6 written; left out: min_reward 3\n"
        "  home/sft/a/sft.openai.jsonl\n"
    )


def test_rows_that_were_set_aside_and_warnings_are_told_at_the_end(
    capsys: pytest.CaptureFixture[str],
):
    rows = Step(
        "training_rows",
        "written",
        {"counts": {"read": 9, "written": 6, "quarantined": 3}, "warnings": ["not told here"]},
        quarantine="home/quarantine/a.jsonl",
    )
    warned = replace(WRITTEN, report={**WRITTEN.report, "warnings": [BARE, BARE]})
    steps.show("a", [rows, warned], {})
    assert capsys.readouterr().out.splitlines()[-3:] == [
        "  home/quarantine/a.jsonl  (private: 3 rows set aside)",
        "  home/sft/a/sft.openai.jsonl",
        "  warning  sft_jsonl: 6 rows have no tool schemas while tools are called "
        "(add it again with --tools FILE --replace)",
    ]


def test_a_refused_step_tells_place_gate_and_remedy(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("sys.argv", [".venv/bin/whileai-export"])
    steps.show("a", [REFUSED], {"min_reward": "1.0"})
    out = capsys.readouterr().out
    assert "privileged_leak: 1 of 10 rows quotes the grader's private block" in out
    assert "row 3  line 4  $.final_text  quotes it" in out
    again = "run a --set min_reward=1.0 --set on_leak=quarantine --set max_quarantined=0.1"
    assert f".venv/bin/whileai-export {again}\n" in out
    stays = "what it wrote stays until the simulation or export.toml changes"
    assert out.endswith(f"  --set is for that run alone; {stays}\n")


def test_what_gates_only_warn_of_is_told_by_row_line_and_place(
    capsys: pytest.CaptureFixture[str],
):
    named = [
        {"row": row, "line": row + 1, "at": "$.messages[2].content", "problem": "a key"}
        for row in (4, 4, 5, 7, 9)
    ]
    summary = "secrets: 10 rows checked, 4 rows with findings"
    found = {"secrets": {"count": 4, "named": named, "summary": summary}}
    report = {"counts": {"read": 9, "written": 9}, "findings": found}
    steps.show("a", [Step("training_rows", "written", report)], {})
    assert capsys.readouterr().out.splitlines()[-4:] == [
        "  warning  training_rows: secrets: 10 rows checked, 4 rows with findings",
        "           row 4  line 5  $.messages[2].content  a key",
        "           row 5  line 6  $.messages[2].content  a key",
        "           row 7  line 8  $.messages[2].content  a key",
    ]


@pytest.mark.parametrize(
    ("found", "code"),
    [
        ([WRITTEN], 0),
        ([WRITTEN, REFUSED], 1),
        ([REFUSED, Step("sft_jsonl", "crashed")], 2),
        ([Step("graded_simulations", "refused", problem="no such folder")], 2),
    ],
)
def test_the_exit_code_is_that_of_the_worst_step(found: list[Step], code: int):
    assert steps.exit_code({"a": found}) == code


def test_what_publishes_nothing_says_what_becomes_of_files_before_it():
    empty = Step("support/sft_jsonl", "written", {"outputs": [], "warnings": ["no tools"]})
    withdrawn = "nothing to publish; what a run before this one published is withdrawn"
    assert steps.warnings([WRITTEN, empty]) == [
        f"support/sft_jsonl: {withdrawn}",
        "support/sft_jsonl: no tools",
    ]


def test_everything_is_plain_for_machines():
    told = steps.plain(Path("home"), {"a": [WRITTEN]})
    assert told["simulations"]["a"][0]["files"] == ["home/sft/a/sft.openai.jsonl"]


def test_rows_without_a_reward_go_on_with_a_setting_and_end_with_1(
    capsys: pytest.CaptureFixture[str],
):
    problem = (
        "min_reward=0.5: all 2 readable rows are ungraded; grade them, or set min_reward to none"
    )
    report = {"counts": {"read": 2}, "findings": {"readable": {"count": 0}}}
    refused = Step("sft_jsonl", "refused", report, problem=problem, code="ungraded")
    steps.show("a", [refused], {"dedupe": "false"})
    told = capsys.readouterr().out
    assert "  next: take rows without a reward too:\n" in told
    assert " run a --set dedupe=false --set min_reward=none\n" in told
    assert "or give --set min_reward=none\n" in told
    assert steps.exit_code({"a": [refused]}) == 1
