from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from whileai_export.defs.local import LocalProject
from whileai_export.shared.project import Standing
from whileai_export_tests.versions.homes import Home, rows

TWO = '[dataset.support]\nsimulations = "s-*"\n[dataset.all]\nsimulations = "?-*"\n'


@contextmanager
def opened(home: Path) -> Iterator[LocalProject]:
    project = LocalProject(home)
    yield project
    for name in ("instance", "present_instance"):
        if name in project.__dict__:
            project.__dict__[name].dispose()


def stands(home: Path) -> list[Standing]:
    with opened(home) as project:
        return list(project.standings())


def sha256s(home: Path) -> dict[str, str]:
    return {
        path.relative_to(home).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in home.rglob("*")
        if path.is_file()
    }


@pytest.fixture(autouse=True)
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAGSTER_DISABLE_TELEMETRY", "1")


def test_a_simulation_that_nobody_ran_stands_there_and_no_history_is_made(tmp_path: Path):
    Home(tmp_path).add("night", rows())
    before = sha256s(tmp_path)
    assert stands(tmp_path) == [Standing("night", None, "never run", due=True)]
    assert sha256s(tmp_path) == before
    assert not (tmp_path / ".dagster").exists()


def test_what_is_published_of_it_is_counted_and_asking_changes_no_file(tmp_path: Path):
    Home(tmp_path).add("night", rows())
    with opened(tmp_path) as project:
        project.register("night")
        list(project.run("night", {"min_reward": "1.0"}))
    before = sha256s(tmp_path)
    (found,) = stands(tmp_path)
    assert (found.state, found.due, found.rows, found.pairs) == ("current", False, 4, 4)
    assert found.own_options == {"min_reward": 1.0}
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", str(found.exported_at))
    assert sha256s(tmp_path) == before


def test_one_in_two_datasets_comes_twice_and_one_in_none_is_named(tmp_path: Path):
    home = Home(tmp_path)
    for name in ("s-1", "odd"):
        home.add(name, rows(1))
    (tmp_path / "export.toml").write_text(TWO, "utf-8")
    assert [(one.simulation, one.dataset, one.state) for one in stands(tmp_path)] == [
        ("s-1", "support", "never run"),
        ("s-1", "all", "never run"),
        ("odd", None, "not taken"),
    ]
    with opened(tmp_path) as project:
        assert (project.untaken(), project.patterns()) == (["odd"], ["s-*", "?-*"])


def test_a_run_for_one_dataset_leaves_the_other_as_it_is(tmp_path: Path):
    Home(tmp_path).add("s-1", rows(1))
    (tmp_path / "export.toml").write_text(TWO, "utf-8")
    with opened(tmp_path) as project:
        project.register("s-1")
        steps = [step.asset for step in project.run("s-1", {}, only=["all"])]
    assert steps[0] == "all/graded_simulations"
    assert [one.state for one in stands(tmp_path)] == ["never run", "current"]


def test_a_dataset_that_came_later_runs_what_was_registered_before(tmp_path: Path):
    Home(tmp_path).add("s-1", rows(1))
    (tmp_path / "export.toml").write_text('[dataset.all]\nsimulations = "?-*"\n', "utf-8")
    with opened(tmp_path) as project:
        project.register("s-1")
    (tmp_path / "export.toml").write_text(TWO, "utf-8")
    with opened(tmp_path) as project:
        steps = [step.asset for step in project.run("s-1", {}) if step.state == "written"]
    assert (len(steps), steps[0]) == (8, "support/graded_simulations")


def test_each_is_judged_when_it_is_asked_for(tmp_path: Path):
    home = Home(tmp_path)
    for name in ("a", "b"):
        home.add(name, rows(1))
    with opened(tmp_path) as project:
        project.simulations()
        found = project.standings()
        assert next(found).simulation == "a"
        project.register("b")
        list(project.run("b", {}))
        assert next(found).state == "current"


def test_a_name_that_is_none_stops_nobody(tmp_path: Path):
    Home(tmp_path).add("night", rows(1))
    (tmp_path / "simulations" / "no name").mkdir()
    assert [(one.simulation, one.state) for one in stands(tmp_path)] == [
        ("night", "never run"),
        ("no name", "unreadable"),
    ]


@pytest.mark.parametrize("text", ["", '{"counts": 5}', '{"options": []}', "[" * 100_000])
def test_a_damaged_report_is_exported_again_and_stops_nobody(tmp_path: Path, text: str):
    home = Home(tmp_path)
    for name in ("day", "night"):
        home.add(name, rows(1))
    with opened(tmp_path) as project:
        for name in ("day", "night"):
            list(project.run(name, {}))
    (tmp_path / "sft" / "night" / "report.json").write_text(text, "utf-8")
    day, night = stands(tmp_path)
    assert (day.state, day.rows) == ("current", 1)
    assert (night.state, night.why, night.due) == ("stale", "sft_jsonl is not there", True)
    assert (night.rows, night.pairs) == (None, day.pairs)
    with opened(tmp_path) as project:
        assert {step.state for step in project.run("night", {}, only=[None])} == {"written"}
    assert [one.state for one in stands(tmp_path)] == ["current", "current"]


def test_one_that_a_dataset_took_before_is_run_for_it_while_it_is_registered(tmp_path: Path):
    home = Home(tmp_path)
    home.add("s-1", rows(1))
    (tmp_path / "export.toml").write_text(TWO, "utf-8")
    with opened(tmp_path) as project:
        list(project.run("s-1", {}))
    home.add("s-1", rows(2))
    (tmp_path / "export.toml").write_text(TWO.replace("?-*", "t-*").replace("s-*", "u-*"), "utf-8")
    due = [(one.dataset, one.due) for one in stands(tmp_path)]
    assert due == [("support", True), ("all", True), (None, False)]
    with opened(tmp_path) as project:
        list(project.run("s-1", {}, only=["all"]))
    assert [one.state for one in stands(tmp_path)] == ["stale", "current", "not taken"]
