from __future__ import annotations

import json
from pathlib import Path

import pytest

from whileai_export.cli.status import said
from whileai_export.shared.project import Standing
from whileai_export_tests.cli.calling import PretendProject, call

AT = "2026-05-04T02:00:00+00:00"
STANDS = [
    Standing("day", None, "current", "", False, AT, 28, 1, {"min_reward": 1.0}),
    Standing("night", None, "stale", "input changed", True, AT, 4, 0),
    Standing("new", "support", "never run", due=True),
    Standing("odd", None, "not taken", "by any dataset of export.toml"),
]


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", [".venv/bin/whileai-export"])


def test_every_simulation_has_a_line_and_what_is_due_a_command(tmp_path: Path):
    done = call("status", project=PretendProject(tmp_path, stands=STANDS))
    assert done.exit_code == 0
    assert done.output == (
        f"day          current                                  {AT}"
        "  28 rows, 1 pair    own options: min_reward=1.0\n"
        f"night        stale: input changed                     {AT}  4 rows, 0 pairs\n"
        f"support/new  never run                                {' ' * 25}  nothing published\n"
        f"odd          not taken by any dataset of export.toml  {' ' * 25}  nothing published\n"
        "next: this exports 2 simulations: .venv/bin/whileai-export run --stale\n"
        "no dataset takes odd: export.toml names support-*, billing-*; a wider `simulations` there,"
        " or a [dataset.NAME] of their own, exports them\n"
    )


def test_what_was_refused_has_the_command_that_says_what_helps(tmp_path: Path):
    stands = [Standing(f"n{n}", None, "refused", "privileged_leak") for n in range(7)]
    told = call("status", project=PretendProject(tmp_path, stands=stands)).output.splitlines()
    assert told[7:] == [
        "next: this runs again and says what helps: .venv/bin/whileai-export run n0 n1 n2 n3 n4"
    ]


def test_machines_are_told_all_of_it(tmp_path: Path):
    done = call("status", "--json", project=PretendProject(tmp_path, stands=STANDS[:1]))
    assert json.loads(done.output) == {
        "home": str(tmp_path),
        "simulations": [
            {
                "simulation": "day",
                "dataset": None,
                "state": "current",
                "why": "",
                "due": False,
                "exported_at": AT,
                "rows": 28,
                "pairs": 1,
                "own_options": {"min_reward": 1.0},
            }
        ],
    }


def test_a_home_without_a_simulation_says_what_makes_one(tmp_path: Path):
    told = call("status", project=PretendProject(tmp_path)).output
    assert told == (
        "no simulation yet; this makes one: .venv/bin/whileai-export add FILE --name NAME\n"
    )


def test_a_home_that_is_not_there_is_not_made(tmp_path: Path):
    done = call("status", project=PretendProject(tmp_path / "home"))
    assert done.exit_code == 2
    assert done.output.startswith("error: there is no home here: expected")
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (Standing("a", None, "refused", "privileged_leak"), "refused by privileged_leak"),
        (Standing("a", None, "refused", "ungraded"), "refused by min_reward"),
        (Standing("a", None, "refused", "none of 2 rows"), "refused: none of 2 rows"),
        (
            Standing("a", None, "running", "run 1234 has not ended"),
            "running: run 1234 has not ended",
        ),
        (Standing("a", None, "gone"), "gone"),
    ],
)
def test_a_state_is_said_with_its_reason(entry: Standing, words: str):
    assert said(entry) == words
