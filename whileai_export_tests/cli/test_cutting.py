from __future__ import annotations

import json
from pathlib import Path

import pytest

from whileai_export.shared.project import Standing
from whileai_export_tests.cli.calling import PretendProject, call

MADE = {
    "dataset": None,
    "version": "v0002",
    "new": True,
    "rows": 28,
    "pairs": 1,
    "taken": [{"simulation": "a", "kind": "sft", "rows": {"openai": 28, "trl": 28}}],
    "left_out": [{"simulation": "b", "kind": "sft", "reason": "nothing is published"}],
    "newer_input": [],
    "gone": [],
    "parent": "v0001",
    "lost": [],
    "lost_parts": 0,
    "problem": "",
}
NONE = {"dataset": "support", "run_id": "r", "problem": "no version: nothing is published yet"}


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", [".venv/bin/whileai-export"])


def test_a_cut_tells_the_version_what_was_taken_and_what_was_left_out(tmp_path: Path):
    project = PretendProject(tmp_path, versions=[MADE])
    done = call("cut", project=project)
    assert (done.exit_code, project.cut_of) == (0, [None])
    assert done.output == (
        "v0002: 28 rows, 1 pair\n"
        "  taken     a  sft  openai 28, trl 28\n"
        "  left out  b  sft  nothing is published\n"
        "next: .venv/bin/whileai-export show v0002\n"
    )


def test_a_cut_that_finds_nothing_new_says_so(tmp_path: Path):
    project = PretendProject(tmp_path, versions=[{**MADE, "new": False}])
    first = call("cut", project=project).output.splitlines()[0]
    assert first == "v0002: 28 rows, 1 pair; nothing published has changed since, no new version"


def test_a_cut_names_simulations_whose_newer_input_was_not_exported(tmp_path: Path):
    project = PretendProject(tmp_path, versions=[{**MADE, "newer_input": ["a"]}])
    done = call("cut", project=project)
    told = [line.split() for line in done.output.splitlines()]
    assert ["newer", "a", *"not exported yet: .venv/bin/whileai-export run a".split()] in told


def test_a_cut_names_simulations_that_are_there_no_more(tmp_path: Path):
    for dataset, named in ((None, "a"), ("support", "support/a")):
        made = {**MADE, "dataset": dataset, "gone": ["a"]}
        done = call("cut", project=PretendProject(tmp_path, versions=[made]))
        told = [line.split() for line in done.output.splitlines()]
        said = f"as published; to leave it out remove sft/{named}, preference/{named}"
        assert ["gone", "a", *said.split()] in told


def test_a_dataset_of_which_nothing_can_be_cut_ends_with_1(tmp_path: Path):
    project = PretendProject(tmp_path, versions=[NONE])
    done = call("cut", "support", project=project)
    assert (done.exit_code, project.cut_of) == (1, ["support"])
    assert done.output == "error: support: no version: nothing is published yet\n"


def test_machines_are_told_every_version(tmp_path: Path):
    done = call("cut", "--json", project=PretendProject(tmp_path, versions=[MADE]))
    assert json.loads(done.output) == {
        "home": str(tmp_path),
        "versions": [MADE],
        "not_taken": [],
    }


def test_a_home_that_is_not_there_is_not_made(tmp_path: Path):
    done = call("cut", project=PretendProject(tmp_path / "home"))
    assert done.exit_code == 2
    assert done.output.startswith("error: there is no home here: expected")
    assert not (tmp_path / "home").exists()


TRAVEL = {
    "simulation": "travel",
    "kinds": ["sft", "preference"],
    "whole": True,
    "reason": "training_rows was refused (privileged_leak) in run 1234",
    "waits": False,
}
WAITS = {**TRAVEL, "kinds": ["preference"], "whole": False, "reason": "not ended", "waits": True}


def test_what_the_version_before_has_and_this_one_has_not_is_said_on_a_line_of_its_own(
    tmp_path: Path,
):
    made = {**MADE, "lost": [TRAVEL, WAITS], "lost_parts": 5}
    done = call("cut", project=PretendProject(tmp_path, versions=[made]))
    assert done.exit_code == 0
    assert done.output.splitlines()[3:] == [
        "v0002 has no travel, which v0001 had: training_rows was refused (privileged_leak) in run"
        " 1234; this runs it again and says what helps: .venv/bin/whileai-export run travel",
        "v0002 has no pairs of travel, which v0001 had: not ended",
        "v0002 has not 3 more of them",
        "next: .venv/bin/whileai-export show v0002",
    ]


def test_a_cut_names_the_simulations_that_no_dataset_takes(tmp_path: Path):
    stands = [Standing(name, None, "not taken") for name in ("hotel", "travel")]
    project = PretendProject(tmp_path, versions=[MADE], stands=stands)
    assert call("cut", project=project).output.splitlines()[-1] == (
        "no dataset takes hotel, travel: export.toml names support-*, billing-*; a wider"
        " `simulations` there, or a [dataset.NAME] of their own, exports them"
    )
    told = json.loads(call("cut", "--json", project=project).output)
    assert told["not_taken"] == ["hotel", "travel"]
