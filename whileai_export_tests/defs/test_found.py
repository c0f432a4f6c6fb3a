from __future__ import annotations

import os
from pathlib import Path

import pytest

from whileai_export.defs.found import simulations
from whileai_export.defs.resources import Folders


@pytest.fixture
def place(tmp_path: Path) -> Path:
    folder = tmp_path / "simulations"
    folder.mkdir()
    return folder


def written(folder: Path, *, profile: bool = False) -> Path:
    """A folder as it is while somebody writes into it."""
    folder.mkdir()
    (folder / "trajectories.jsonl").write_text("{}\n", "utf-8")
    if profile:
        (folder / "profile.json").write_text("{}", "utf-8")
    later = folder.stat().st_ctime_ns + 10**9
    os.utime(folder / "trajectories.jsonl", ns=(later, later))
    return folder


def seen(place: Path, pattern: str = "*") -> dict[str, bool]:
    return {found.name: found.whole for found in simulations(Folders(place.parent), pattern)[0]}


def test_folders_and_files_are_simulations_and_sidecars_are_not(place: Path):
    written(place / "a")
    for name in ("b.jsonl", "b.meta.json", "c.jsonl.gz", "d.jsonl.zst", ".e", "f.jsonl.part"):
        (place / name).touch()
    assert list(seen(place)) == ["a", "b", "c", "d"]


def test_what_an_export_writes_beside_a_simulation_is_none(place: Path):
    for name in ("b", "b.train", "b.preference", "b.train.jsonl.quarantine", "c.trained"):
        (place / f"{name}.jsonl").touch()
    (place / "b.train.jsonl.gz").touch()
    assert list(seen(place)) == ["b", "c.trained"]


def test_a_dataset_takes_the_names_of_its_pattern(place: Path):
    written(place / "support-1")
    written(place / "billing-1")
    assert list(seen(place, "support-*")) == ["support-1"]


def test_a_folder_is_whole_with_its_profile(place: Path):
    written(place / "a")
    written(place / "b", profile=True)
    assert seen(place) == {"a": False, "b": True}


def test_a_folder_that_was_moved_in_is_whole(place: Path, tmp_path: Path):
    folder = written(tmp_path / "elsewhere")
    os.utime(folder / "trajectories.jsonl", (1, 1))
    os.utime(folder, (1, 1))
    folder.rename(place / "a")
    assert seen(place) == {"a": True}


def test_other_bytes_are_another_mark(place: Path):
    folder = written(place / "a")
    before = simulations(Folders(place.parent))[0][0].mark
    (folder / "trajectories.jsonl").write_text("{}\n{}\n", "utf-8")
    assert simulations(Folders(place.parent))[0][0].mark != before


def test_what_is_no_simulation_is_named(place: Path):
    (place / "empty").mkdir()
    (place / "no name.jsonl").touch()
    found, others = simulations(Folders(place.parent))
    assert found == []
    assert others[0] == "simulation empty: expected one trajectories.jsonl, found 0"
    assert others[1].startswith("simulation name: expected ")


def test_without_a_folder_there_are_none(tmp_path: Path):
    assert simulations(Folders(tmp_path)) == ([], [])
