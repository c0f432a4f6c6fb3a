from __future__ import annotations

import json
from pathlib import Path

import pytest

from whileai_export.shared.project import Standing
from whileai_export_tests.cli.calling import REFUSED, PretendProject, call

STANDS = [
    Standing("day", None, "current"),
    Standing("new", None, "never run", due=True),
    Standing("night", None, "stale", "input changed", due=True),
    Standing("travel", None, "refused", "privileged_leak"),
]


def test_what_is_due_is_run_and_the_rest_is_left_alone_with_the_reason(tmp_path: Path):
    project = PretendProject(tmp_path, names=["day", "night", "travel"], stands=STANDS)
    done = call("run", "--stale", "--workers", 2, project=project)
    assert done.exit_code == 0, done.output
    assert project.ran_with == {"new": {}, "night": {}}
    assert (project.workers, project.only) == (2, (None,))
    assert project.names == ["day", "night", "travel", "new"]
    assert done.output.splitlines()[-3:] == [
        "left alone:",
        "  day     current",
        "  travel  refused by privileged_leak",
    ]


def test_one_that_only_one_dataset_wants_is_run_for_that_alone(tmp_path: Path):
    stands = [Standing("a", "support", "current"), Standing("a", "billing", "crashed", due=True)]
    project = PretendProject(tmp_path, names=["a"], stands=stands)
    told = json.loads(call("run", "--stale", "--json", project=project).output)
    assert project.only == ("billing",)
    assert list(told["simulations"]) == ["a"]
    assert told["left_alone"] == [
        {"simulation": "a", "dataset": "support", "state": "current", "why": ""}
    ]


def test_where_nothing_is_due_nothing_is_run_and_that_is_no_failure(tmp_path: Path):
    project = PretendProject(tmp_path, names=["day"], stands=STANDS[:1])
    done = call("run", "--stale", project=project)
    assert (done.exit_code, project.ran_with) == (0, {})
    assert done.output == "left alone:\n  day  current\nnothing is due\n"
    done = call("run", "--stale", project=PretendProject(tmp_path))
    assert (done.exit_code, done.output) == (0, "there is no simulation\n")


def test_a_refusal_ends_with_1_as_it_does_by_name(tmp_path: Path):
    project = PretendProject(tmp_path, [REFUSED], stands=STANDS)
    assert call("run", "--stale", project=project).exit_code == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("day",), "error: --stale: expected no names beside it, got day\n"),
        (
            ("--set", "min_reward=1"),
            "error: --stale: expected no --set beside it, got min_reward=1\n",
        ),
    ],
)
def test_names_and_options_of_its_own_do_not_stand_beside_it(
    words: tuple[str, ...], told: str, tmp_path: Path
):
    project = PretendProject(tmp_path, names=["day"], stands=STANDS)
    done = call("run", "--stale", *words, project=project)
    assert (done.exit_code, done.output, project.ran_with) == (2, told, {})


def test_where_there_is_no_home_none_is_made(tmp_path: Path):
    done = call("run", "--stale", project=PretendProject(tmp_path / "home"))
    assert done.exit_code == 2
    assert not (tmp_path / "home").exists()
