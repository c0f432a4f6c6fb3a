from __future__ import annotations

import json

from whileai_export_tests.defs.homes import SECRET, Project, checks, leaking, row, rows


def test_a_pair_is_published_for_every_task_with_contrast(project: Project):
    project.add("night", rows())
    result = project.run("night")
    path = project.folders.published_files("preference", "night")["trl"]
    pairs = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert [(pair["chosen_score"], pair["rejected_score"]) for pair in pairs] == [(1.0, 0.0)] * 4
    assert checks(result)["preference_jsonl/has_rows"] is True
    assert SECRET not in path.read_text("utf-8")


def test_the_check_says_why_no_task_makes_a_pair(project: Project):
    project.add("night", [row("a", 0, 1.0), row("b", 0, 1.0), row("b", 1, 0.9)])
    result = project.run("night")
    check = next(
        c
        for c in result.get_asset_check_evaluations()
        if (c.asset_key.path, c.check_name) == (["preference_jsonl"], "has_rows")
    )
    assert (check.passed, result.success) == (False, True)
    assert check.description == "nothing qualifies: margin 1, one_rollout 1"


def test_a_run_may_ask_for_another_margin(project: Project):
    project.add("night", [row("b", 0, 1.0), row("b", 1, 0.9)])
    project.run("night", preference_jsonl={"min_margin": 0.05})
    report = project.report("preference", "night")
    assert (report["pairs"], report["options_from"]["min_margin"]) == (1, "run config")


def test_nothing_is_published_of_a_leaking_simulation(project: Project):
    project.add("night", leaking())
    project.run("night")
    assert not any(path.startswith(("sft/", "preference/")) for path in project.files())


def test_a_leak_in_the_staged_rows_turns_this_asset_red_by_itself(project: Project):
    project.stage_a_leak("night")
    result = project.run("night", "preference_jsonl")
    assert checks(result)["preference_jsonl/privileged_leak"] is False
    assert not any(path.startswith("preference/") for path in project.files())
