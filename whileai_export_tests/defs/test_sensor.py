from __future__ import annotations

import hashlib
import json
import time
from typing import Any

import dagster as dg
import pytest

from whileai_export.defs import sensor as sensor_file
from whileai_export.defs.choices import Layer
from whileai_export.defs.dataset import Dataset, DatasetOptions
from whileai_export.defs.resources import Datasets
from whileai_export.defs.sensor import new_simulations
from whileai_export_tests.defs.homes import Project, leaking, rows


class Watcher:
    """The sensor of one dataset, tick after tick."""

    def __init__(self, project: Project, dataset: Dataset | None = None) -> None:
        self.project = project
        self.sensor = new_simulations(dataset or Dataset())
        self.cursor: str | None = None

    def tick(self) -> dg.SensorResult:
        with dg.build_sensor_context(
            instance=self.project.instance,
            cursor=self.cursor,
            resources={"datasets": Datasets(home=str(self.project.home))},
        ) as context:
            result: Any = self.sensor(context)
        self.cursor = result.cursor
        for request in result.dynamic_partitions_requests or ():
            self.project.instance.add_dynamic_partitions(
                request.partitions_def_name, request.partition_keys
            )
        return result

    def asked(self) -> list[str]:
        return [str(request.run_key) for request in self.tick().run_requests or ()]


def sha(project: Project, name: str) -> str:
    path = project.home / "simulations" / name / "trajectories.jsonl"
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def test_a_new_simulation_is_registered_and_asked_for_once(project: Project):
    project.add("night", rows())
    project.instance.delete_dynamic_partition("simulation", "night")
    watcher = Watcher(project)
    assert watcher.asked() == [f"night:{sha(project, 'night')}"]
    assert project.instance.get_dynamic_partitions("simulation") == ["night"]
    assert watcher.asked() == []


def test_changed_bytes_ask_again_also_when_they_come_back(project: Project):
    watcher = Watcher(project)
    keys = []
    for found in (rows(), rows(5), rows()):
        project.add("night", found)
        keys += watcher.asked()
    assert [key.split(":")[0] for key in keys] == ["night"] * 3
    assert len(set(keys)) == 3


def test_a_new_profile_asks_again(project: Project):
    project.add("night", rows())
    watcher = Watcher(project)
    watcher.tick()
    project.add("night", rows(), {"policy": "Be long."})
    assert len(watcher.asked()) == 1


def test_a_touched_file_of_the_same_bytes_does_not(project: Project):
    folder = project.add("night", rows())
    watcher = Watcher(project)
    watcher.tick()
    (folder / "trajectories.jsonl").touch()
    assert watcher.asked() == []


def test_what_is_still_being_written_waits_until_it_rests_for_two_ticks(project: Project):
    watcher = Watcher(project)
    for size in (1, 2):
        project.add("night", rows(size), profile=None)
        assert watcher.asked() == []
    assert watcher.asked() == [f"night:{sha(project, 'night')}"]


def test_what_it_remembers_grows_with_simulations_and_not_with_their_changes(project: Project):
    watcher = Watcher(project)
    for tasks in range(1, 7):
        project.add("night", rows(tasks))
        assert len(watcher.asked()) == 1
    kept = json.loads(watcher.cursor or "")["latest"]["night"]
    assert (kept[:2], len(kept)) == ("5 ", 14)


def test_what_was_exported_by_hand_or_refused_is_not_asked_for(project: Project):
    for name, found in (("good", rows()), ("bad", leaking())):
        project.add(name, found)
        project.run(name)
    assert Watcher(project).asked() == []


def test_a_tick_takes_no_more_than_its_cap(project: Project, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sensor_file, "A_TICK", 2)
    for n in range(5):
        project.add(f"n{n}", rows(1))
    watcher = Watcher(project)
    assert [len(watcher.asked()) for _ in range(4)] == [2, 2, 1, 0]


def test_a_simulation_that_vanished_stays_registered(project: Project):
    folder = project.add("night", rows())
    watcher = Watcher(project)
    watcher.tick()
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    result = watcher.tick()
    assert result.skip_reason is not None
    assert project.instance.get_dynamic_partitions("simulation") == ["night"]


def test_an_unfit_name_stops_nobody(project: Project):
    project.add("night", rows())
    (project.home / "simulations" / "no name").mkdir()
    assert len(Watcher(project).asked()) == 1


def test_a_named_dataset_asks_for_its_own(project: Project):
    for name in ("support-1", "billing-1"):
        project.add(name, rows())
    dataset = Dataset("support", DatasetOptions((Layer("[defaults]", {}),), "support-*"))
    watcher = Watcher(project, dataset)
    assert [key.split(":")[0] for key in watcher.asked()] == ["support-1"]
    assert project.instance.get_dynamic_partitions("support_simulation") == ["support-1"]


@pytest.mark.parametrize("cursor", ["", "nonsense", "[]", '{"marks": 1, "asked": 2}'])
def test_a_cursor_that_is_none_is_forgotten(project: Project, cursor: str):
    project.add("night", rows())
    watcher = Watcher(project)
    watcher.cursor = cursor
    assert len(watcher.asked()) == 1


def test_three_hundred_simulations_are_looked_at_in_a_moment(project: Project):
    for n in range(300):
        folder = project.home / "simulations" / f"n{n}"
        folder.mkdir(parents=True)
        (folder / "trajectories.jsonl").write_text(json.dumps({"n": n}) + "\n", "utf-8")
        (folder / "profile.json").write_text("{}", "utf-8")
    watcher = Watcher(project)
    for _ in range(12):
        assert len(watcher.asked()) == 25
    began = time.perf_counter()
    assert watcher.asked() == []
    assert time.perf_counter() - began < 5


@pytest.mark.parametrize(
    "name",
    ["README.md", "file.txt", "notes.json", "x.meta.json", "x.jsonl.tmp", "profile.json", "LATEST"],
)
def test_a_file_that_is_no_simulation_is_neither_registered_nor_asked_for(
    project: Project, name: str
):
    project.add("night", rows())
    (project.home / "simulations" / name).write_text("notes\n", "utf-8")
    watcher = Watcher(project)
    asked = [key for _ in range(3) for key in watcher.asked()]
    assert asked == [f"night:{sha(project, 'night')}"]
    assert project.instance.get_dynamic_partitions("simulation") == ["night"]


def test_an_empty_folder_waits_for_its_rows(project: Project):
    folder = project.home / "simulations" / "night"
    folder.mkdir(parents=True)
    watcher = Watcher(project)
    assert [watcher.asked() for _ in range(2)] == [[], []]
    assert project.instance.get_dynamic_partitions("simulation") == []
    project.add("night", rows())
    assert watcher.asked() == [f"night:{sha(project, 'night')}"]


def test_a_simulation_that_could_be_two_is_not_asked_for_until_it_is_one(project: Project):
    folder = project.add("night", rows())
    project.instance.delete_dynamic_partition("simulation", "night")
    other = folder.with_name("night.jsonl")
    other.write_bytes((folder / "trajectories.jsonl").read_bytes())
    watcher = Watcher(project)
    assert [watcher.asked() for _ in range(2)] == [[], []]
    assert project.instance.get_dynamic_partitions("simulation") == []
    other.unlink()
    assert watcher.asked() == [f"night:{sha(project, 'night')}"]
