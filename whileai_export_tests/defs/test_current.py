from __future__ import annotations

from collections.abc import Callable

import pytest

from whileai_export.defs import current
from whileai_export.defs.choices import Layer
from whileai_export.defs.current import changed, digests, standing
from whileai_export.defs.dataset import Dataset, DatasetOptions
from whileai_export.defs.inputs import present_input
from whileai_export_tests.defs.homes import Project, leaking, row, rows


def stands(project: Project, **options: object) -> str:
    """Where the simulation stands under options of its dataset."""
    layers = (Layer("[defaults]", options),) if options else ()
    configured = digests(Dataset(project.name, DatasetOptions(layers)), project.folders)
    now = present_input(project.folders, "night")
    return standing(project.folders, "night", now, configured)


def test_what_was_never_exported_is_due_and_then_current(project: Project):
    project.add("night", rows())
    assert stands(project) == "due"
    project.run("night")
    assert stands(project) == "current"


def test_other_bytes_other_facts_or_other_options_are_due(project: Project):
    project.add("night", rows())
    project.run("night")
    assert stands(project, min_reward=0.9) == "due"
    assert stands(project, preference=["trl"]) == "due"
    project.add("night", rows(), {"policy": "Be long."})
    assert stands(project) == "due"


def test_other_code_is_due(project: Project, monkeypatch: pytest.MonkeyPatch):
    project.add("night", rows())
    project.run("night")
    monkeypatch.setattr(current, "code_version", lambda: "another")
    assert stands(project) == "due"


def test_a_step_that_is_missing_is_due(project: Project):
    project.add("night", rows())
    project.run("night", "graded_simulations", "training_rows", "sft_jsonl")
    assert stands(project) == "due"


def test_a_refusal_of_the_same_three_is_not_due(project: Project):
    project.add("night", leaking())
    project.run("night")
    assert stands(project) == "refused"
    assert stands(project, on_leak="quarantine") == "due"
    project.add("night", rows())
    assert stands(project) == "due"


@pytest.mark.parametrize("refused", [[], leaking()], ids=["at_the_door", "by_a_gate"])
def test_what_was_refused_in_between_is_due_again(project: Project, refused: list):
    project.add("night", rows())
    project.run("night")
    project.add("night", refused)
    project.run("night")
    project.add("night", rows())
    assert stands(project) == "due"
    project.run("night")
    assert stands(project) == "current"


def test_a_refusal_under_options_of_one_run_is_due_again(project: Project):
    project.add("night", leaking())
    quarantine = {"on_leak": "quarantine", "max_quarantined": 1.0}
    project.run("night", training_rows=quarantine)
    assert stands(project, **quarantine) == "due"
    project.add("night", rows())
    project.run("night")
    project.run("night", training_rows={"adapter": "no_such:thing"})
    assert stands(project) == "due"


def test_a_refusal_further_down_is_one_too(project: Project):
    project.add("night", [row("a", k, None) for k in range(2)])
    project.run("night")
    assert stands(project) in ("refused", "due")
    project.run("night", "preference_jsonl")
    assert stands(project) == "refused"


def test_a_refusal_of_options_that_only_a_run_had_is_due(project: Project):
    project.add("night", [row("a", 0, 0.6), row("a", 1, None)])
    project.run("night", training_rows={"max_quarantined": 0.0, "strict": True})
    assert stands(project) == "current"


def test_a_backfill_with_other_options_stands(project: Project):
    project.add("night", rows())
    project.run("night", sft_jsonl={"formats": ["fireworks"]})
    assert stands(project) == "current"
    assert stands(project, dedupe=False) == "due"


def test_a_damaged_report_is_written_again(project: Project):
    project.add("night", rows())
    project.run("night")
    (project.folders.published("sft", "night") / "report.json").write_text("{", "utf-8")
    assert stands(project) == "due"


def test_the_words_of_a_system_prompt_are_an_option(make: Callable[..., Project]):
    options = DatasetOptions(system_prompt="prompt.md")
    project = make(options=options)
    (project.home / "prompt.md").write_text("Be kind.", "utf-8")
    before = digests(Dataset(None, options), project.folders)
    (project.home / "prompt.md").write_text("Be brief.", "utf-8")
    after = digests(Dataset(None, options), project.folders)
    changed = [asset for asset in before if before[asset] != after[asset]]
    assert changed == ["training_rows"]


def test_what_has_changed_is_said_of_reports_and_refusals(project: Project):
    project.add("night", rows())
    configured = digests(Dataset(), project.folders)
    before = present_input(project.folders, "night")
    assert changed(project.folders, "night", before, configured) == []
    project.run("night")
    assert changed(project.folders, "night", before, configured) == []
    project.add("night", leaking())
    now = present_input(project.folders, "night")
    assert changed(project.folders, "night", now, configured) == ["input"]
    project.run("night", training_rows={"max_quarantined": 0.5})
    assert changed(project.folders, "night", before, configured) == ["input", "options"]
