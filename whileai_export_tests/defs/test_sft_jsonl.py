from __future__ import annotations

import hashlib
import json
import stat
from pathlib import Path

import pytest

from whileai_export.pipeline.outcome import Outcome
from whileai_export_tests.defs.homes import (
    SECRET,
    Project,
    checks,
    leaking,
    materialized,
    problem,
    row,
    rows,
)


def lines(project: Project, format: str = "openai") -> list[dict[str, object]]:
    path = project.folders.published_files("sft", "night")[format]
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_passing_rows_are_published_in_the_careful_formats(project: Project):
    project.add("night", rows())
    assert project.run("night").success
    assert [row["reward"] for row in lines(project)] == [1.0] * 4
    assert sorted(path for path in project.files() if path.startswith("sft/")) == [
        "sft/night/README.md",
        "sft/night/report.json",
        "sft/night/sft.openai.jsonl",
        "sft/night/sft.trl.jsonl",
    ]


def test_published_rows_hold_no_private_word_and_trainers_can_read_them(project: Project):
    project.add("night", rows())
    project.run("night")
    for path in project.folders.published("sft", "night").iterdir():
        assert SECRET not in path.read_text("utf-8")
        assert stat.S_IMODE(path.stat().st_mode) & 0o044 == 0o044


def test_the_report_names_every_file_by_its_sha256(project: Project):
    project.add("night", rows())
    project.run("night")
    outputs = project.report("sft", "night")["outputs"]
    assert [output["format"] for output in outputs] == ["openai", "trl"]
    files = project.folders.published_files("sft", "night")
    for output in outputs:
        data = files[output["format"]].read_bytes()
        assert output["sha256"] == hashlib.sha256(data).hexdigest()


def test_the_counts_of_the_report_add_up(project: Project):
    project.add("night", [*rows(), row("t0", 0, 1.0), row("u", 0, None)])
    project.run("night")
    counts = project.report("sft", "night")["counts"]
    assert counts["filtered"] == {"duplicate": 1, "min_reward": 4, "ungraded": 1}
    assert counts["read"] == counts["written"] + sum(counts["filtered"].values()) == 10


def test_a_run_that_selects_only_this_asset_cannot_pass_a_refused_upstream(project: Project):
    project.add("night", leaking())
    project.run("night", training_rows={"on_leak": "quarantine", "max_quarantined": 0.2})
    before = project.report("sft", "night")
    assert before["upstream"]["quarantined"] == 1
    assert before["upstream"]["options"] == {"on_leak": "quarantine", "max_quarantined": 0.2}
    project.run("night", "graded_simulations", "training_rows")
    result = project.run("night", "sft_jsonl")
    assert problem(result).startswith(
        "refused input: the latest attempt at training_rows of night was refused (privileged_leak)"
    )
    assert materialized(result) == set()
    assert project.report("sft", "night") == before


def test_rows_staged_from_an_earlier_simulation_are_refused(project: Project):
    project.add("night", rows())
    project.run("night")
    project.add("night", rows(6))
    result = project.run("night", "sft_jsonl")
    assert problem(result).startswith("stale input: training_rows stands for sha256 ")


def test_staged_bytes_that_nobody_recorded_are_refused(project: Project):
    project.add("night", rows())
    project.run("night", "graded_simulations", "training_rows")
    staged = project.folders.training_rows("night")
    staged.write_bytes(staged.read_bytes() * 2)
    result = project.run("night", "sft_jsonl")
    assert problem(result).startswith("stale input: training_rows recorded sha256 ")
    assert not any(path.startswith("sft/") for path in project.files())


def test_a_leak_in_the_staged_rows_turns_this_asset_red_by_itself(project: Project):
    project.stage_a_leak("night")
    result = project.run("night", "sft_jsonl")
    assert checks(result)["sft_jsonl/privileged_leak"] is False
    assert materialized(result) == set()
    assert not any(path.startswith("sft/") for path in project.files())


def test_where_nothing_qualifies_former_files_go_and_a_check_says_why(project: Project):
    project.add("night", rows())
    project.run("night")
    project.add("night", [row("a", k, 0.0) for k in range(2)])
    result = project.run("night")
    assert result.success
    assert checks(result)["sft_jsonl/has_rows"] is False
    assert checks(result)["preference_jsonl/has_rows"] is False
    report = project.report("sft", "night")
    assert (report["outputs"], report["counts"]["filtered"]) == ([], {"min_reward": 2})
    assert {path for path in project.files() if path.startswith(("sft/", "preference/"))} == {
        "sft/night/report.json",
        "preference/night/report.json",
    }


def test_all_ungraded_is_refused_naming_the_option_and_taken_without_it(project: Project):
    project.add("night", [row("a", k, None) for k in range(2)])
    assert problem(project.run("night")).startswith("min_reward=0.5: all 2 ")
    assert project.run("night", "sft_jsonl", sft_jsonl={"min_reward": None}).success
    assert len(lines(project)) == 2


def test_a_format_that_is_no_longer_asked_for_is_withdrawn(project: Project):
    project.add("night", rows())
    project.run("night")
    project.run("night", "sft_jsonl", sft_jsonl={"formats": ["trl"]})
    assert not project.folders.published_files("sft", "night")["openai"].exists()
    assert len(lines(project, "trl")) == 4


def test_what_is_withdrawn_has_gone_before_anybody_else_can_publish(
    project: Project, monkeypatch: pytest.MonkeyPatch
):
    project.add("night", rows())
    project.run("night")
    publish, seen = Outcome.publish, []

    def watched(self: Outcome, last: Path) -> object:
        written = publish(self, last)
        seen.append(sorted(path.name for path in last.parent.iterdir()))
        return written

    monkeypatch.setattr(Outcome, "publish", watched)
    project.run("night", "sft_jsonl", sft_jsonl={"formats": ["trl"]})
    assert seen == [["README.md", "report.json", "sft.trl.jsonl"]]


def test_a_further_column_stands_beside_the_careful_ones(project: Project):
    project.add("night", rows())
    project.run("night", sft_jsonl={"columns": ["rollout_index"]})
    assert {"row_id", "task", "reward", "rollout_index"} <= lines(project)[0].keys()
