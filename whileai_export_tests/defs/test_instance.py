"""Whoever begins the history of a home, alone, in company or to be killed: it can be opened."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from threading import Thread

import dagster as dg
import pytest

from whileai_export.defs.instance import begin, instance_at, present_at
from whileai_export.defs.local import LocalProject
from whileai_export.pipeline.folders import one_at_a_time
from whileai_export.shared.errors import ExportError

ROOT = Path(__file__).parents[2]
OPEN = """
import os, sys, time
from pathlib import Path
from dagster._core.storage.event_log.sqlite import sqlite_event_log as events
from dagster._core.storage.runs.sqlite import sqlite_run_storage as runs
from whileai_export.defs.local import LocalProject
stamp = runs.stamp_alembic_rev
def slowly(*given, **named):
    time.sleep(1)
    stamp(*given, **named)
def killed(self, *_, **__):
    Path(self.path_for_shard("index")).touch()
    os.kill(os.getpid(), 9)
if sys.argv[2] == "slowly":
    runs.stamp_alembic_rev = slowly
else:
    events.SqliteEventLogStorage._initdb = killed
print("ready", flush=True)
sys.stdin.readline()
print(LocalProject(Path(sys.argv[1])).simulations())
"""


def opening(home: Path, how: str) -> subprocess.Popen[str]:
    child = subprocess.Popen(
        [sys.executable, "-c", OPEN, str(home), how], cwd=ROOT, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "PYTHONWARNINGS": ""},
    )  # fmt: skip
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    return child


def simulations(home: Path) -> list[str]:
    project = LocalProject(home)
    project.register("night")
    found = project.simulations()
    project.instance.dispose()
    return found


@pytest.mark.slow
def test_two_that_begin_a_home_at_once_both_find_its_history(tmp_path: Path):
    children = [opening(tmp_path, "slowly") for _ in range(2)]
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    assert [child.communicate(timeout=120)[0] for child in children] == ["[]\n", "[]\n"]
    assert simulations(tmp_path) == ["night"]


@pytest.mark.slow
def test_one_that_was_killed_as_it_began_a_home_leaves_it_to_the_next(tmp_path: Path):
    child = opening(tmp_path, "to be killed")
    child.communicate("go\n", timeout=120)
    assert child.returncode == -9
    assert simulations(tmp_path) == ["night"]
    assert sorted(path.name for path in (tmp_path / ".dagster").iterdir()) == [
        "dagster.yaml", "history", "schedules",
    ]  # fmt: skip


def test_a_database_that_was_renamed_in_before_a_kill_is_kept(tmp_path: Path):
    (tmp_path / "schedules").mkdir()
    (tmp_path / "schedules" / "mine").touch()
    begin(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "dagster.yaml", "history", "schedules",
    ]  # fmt: skip
    assert [path.name for path in (tmp_path / "schedules").iterdir()] == ["mine"]


def test_a_history_that_is_there_is_opened_as_it_is(tmp_path: Path):
    begin(tmp_path)
    with dg.DagsterInstance.from_config(str(tmp_path)) as instance:
        instance.add_dynamic_partitions("simulation", ["night"])
    begin(tmp_path)
    with dg.DagsterInstance.from_config(str(tmp_path)) as instance:
        assert instance.get_dynamic_partitions("simulation") == ["night"]


def test_a_history_that_cannot_be_opened_is_told_with_the_home(tmp_path: Path):
    (tmp_path / ".dagster").mkdir()
    begin(tmp_path / ".dagster")
    (tmp_path / ".dagster" / "history" / "runs.db").write_bytes(b"no database" * 200)
    with pytest.raises(ExportError) as refused:
        instance_at(tmp_path / ".dagster")
    assert str(refused.value) == (
        f"{tmp_path}: its history (.dagster) cannot be written: file is not a database"
    )


def test_a_history_for_which_there_is_no_room_is_told_with_the_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("whileai_export.defs.pages.settle", full)
    with pytest.raises(ExportError) as refused:
        begin(tmp_path / ".dagster")
    assert str(refused.value) == (
        f"{tmp_path}: its history (.dagster) cannot be begun: No space left on device"
    )


@pytest.mark.parametrize("text", [": : [", "- a", "storage: 5", "unknown: 1"])
def test_settings_that_mean_nothing_are_told_with_the_home_in_a_line(tmp_path: Path, text: str):
    place = tmp_path / ".dagster"
    place.mkdir()
    begin(place)
    (place / "dagster.yaml").write_text(text, "utf-8")
    for opened in (instance_at, present_at):
        with pytest.raises(ExportError) as refused:
            opened(place)
        told = f"{tmp_path}: its history cannot be opened by .dagster/dagster.yaml: "
        assert str(refused.value).startswith(told)
        assert len(str(refused.value)) < len(told) + 250
        assert "\n" not in str(refused.value)


def test_a_question_about_a_damaged_history_is_answered_with_the_home(tmp_path: Path):
    (tmp_path / ".dagster").mkdir()
    begin(tmp_path / ".dagster")
    (tmp_path / ".dagster" / "history" / "runs.db").write_bytes(b"no database" * 200)
    with pytest.raises(ExportError, match="file is not a database"):
        present_at(tmp_path / ".dagster")


def test_a_question_makes_no_history_in_an_empty_folder(tmp_path: Path):
    with present_at(tmp_path) as instance:
        assert instance.get_dynamic_partitions("simulation") == []
    assert list(tmp_path.iterdir()) == []


def test_a_question_waits_for_whoever_begins_a_history(tmp_path: Path):
    (tmp_path / "dagster.yaml").touch()
    asking = Thread(target=lambda: present_at(tmp_path).dispose())
    with one_at_a_time([tmp_path]):
        asking.start()
        asking.join(1)
        assert not (tmp_path / "history").exists()
    asking.join()
    assert (tmp_path / "history").exists()
