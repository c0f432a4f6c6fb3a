from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from whileai_export.defs.dataset import Dataset
from whileai_export.defs.inputs import NoInput, StaleInput
from whileai_export.defs.way_on import WayOn, problem_of, way_on
from whileai_export.shared.errors import ExportError, GateError, OptionError, SourceError, Ungraded

HOME = Path("/data/my home")
LEAKS = {
    "counts": {"read": 32},
    "options": {"max_quarantined": 0.05},
    "findings": {"privileged_leak": {"count": 3}},
}


@pytest.fixture(autouse=True)
def activated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An environment whose programs are on the path."""
    program = tmp_path / "whileai-export"
    program.touch(0o755)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))


def way(refusal: ExportError, dataset: str | None = None, **report: Any) -> WayOn:
    found = way_on(refusal, report, HOME, "night", Dataset(dataset))
    assert found is not None
    return found


def test_leaks_are_left_out_by_a_command_or_by_a_config_for_the_launchpad():
    assert way(GateError("privileged_leak", "3 of 32 rows"), **LEAKS) == (
        "leave these rows out and keep them in a private file",
        "WHILEAI_EXPORT_HOME='/data/my home' whileai-export run night"
        " --set on_leak=quarantine --set max_quarantined=0.1",
        'ops: {training_rows: {config: {on_leak: "quarantine", max_quarantined: 0.1}}}',
    )


def test_the_config_is_of_the_dataset_that_refused():
    found = way(GateError("privileged_leak", "3 of 32 rows"), "support", **LEAKS)
    said = yaml.safe_load(found.config)
    assert said["ops"]["support__training_rows"]["config"]["on_leak"] == "quarantine"


def test_what_no_setting_mends_is_mended_and_run_again():
    assert way(GateError("holdout", "1 of 8 rows")) == (
        "take these tasks out of the simulation, or out of the evaluation files, then run it again",
        "WHILEAI_EXPORT_HOME='/data/my home' whileai-export run night",
        "",
    )


def test_a_simulation_that_cannot_be_read_is_replaced():
    assert way(SourceError("expected rows, got none")).command == (
        "WHILEAI_EXPORT_HOME='/data/my home' whileai-export add FILE --name night --replace"
    )


def test_a_simulation_that_is_not_there_is_added():
    assert way(NoInput("simulation night: expected a folder or a file, found none")) == (
        "put one there",
        "WHILEAI_EXPORT_HOME='/data/my home' whileai-export add FILE --name night",
        "",
    )


def test_a_stale_input_is_mended_by_running_the_whole_graph():
    found = way(StaleInput("stale input"))
    assert found.words == "run the whole graph for it"
    assert found.command.endswith(" whileai-export run night")


def test_an_option_says_itself_what_it_expects():
    refusal = OptionError("min_reward: expected a number from 0 to 1, got 7")
    assert way_on(refusal, {}, HOME, "night", Dataset()) is None


def test_where_nothing_is_on_the_path_the_command_names_the_program(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setenv("PATH", "/nowhere")
    assert f" {tmp_path}/whileai-export run night" in way(StaleInput("stale")).command
    (tmp_path / "whileai-export").unlink()
    assert f" {tmp_path}/python -m whileai_export run night" in way(StaleInput("stale")).command


def test_the_problem_can_be_told_alone():
    said = WayOn("mend it", "whileai-export run night").after("holdout: 2 rows")
    assert said == "holdout: 2 rows\n\nnext: mend it: whileai-export run night"
    assert problem_of(said) == "holdout: 2 rows"
    assert problem_of(None) == ""


def test_rows_without_a_reward_are_taken_by_a_command_or_by_a_config():
    found = way(Ungraded("min_reward=0.5: all 2 readable rows are ungraded"))
    assert found.words == "take rows without a reward too"
    assert found.command.endswith(" whileai-export run night --set min_reward=none")
    least = {"config": {"min_reward": None}}
    assert yaml.safe_load(found.config)["ops"] == {"sft_jsonl": least, "preference_jsonl": least}


def test_an_adapter_that_fails_on_every_row_is_what_is_mended():
    found = way(
        GateError("quarantine_limit", "32 of 32 rows"),
        counts={"read": 32},
        options={"adapter": "mine:read", "max_quarantined": 0.05},
        findings={"readable": {"count": 32}},
    )
    assert found.words == (
        "mend the adapter mine:read: no row can be read that comes out of it, then run it again"
    )
