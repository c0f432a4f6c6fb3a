from __future__ import annotations

import os
from pathlib import Path

import pytest

from whileai_export.defs import found as found_file
from whileai_export.defs.found import simulations, untaken
from whileai_export.defs.inputs import simulation_files
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


STRAY = [
    "README.md", "file.txt", "notes.json", "x.meta.json", "profile.json", "x.jsonl.tmp",
    "x.jsonl.part", "x.jsonl.bz2", "x.JSONL", "jsonl", ".jsonl", ".DS_Store", "no name.txt",
    "LATEST",
]  # fmt: skip


@pytest.mark.parametrize("name", STRAY)
def test_any_other_file_is_left_alone_without_a_word(place: Path, name: str):
    (place / name).write_text("notes\n", "utf-8")
    assert simulations(Folders(place.parent)) == ([], [])


def test_other_files_hide_no_simulation(place: Path):
    for name in (*STRAY, "b", "a.md"):
        (place / name).touch()
    written(place / "a", profile=True)
    (place / "b.jsonl").touch()
    assert list(seen(place)) == ["a", "b"]


@pytest.mark.parametrize("name", ["v1.2", "README.md", "x.jsonl", "profile.json", "x.train"])
def test_a_folder_is_one_whatever_its_name_ends_in(place: Path, name: str):
    written(place / name)
    assert list(seen(place)) == [name]


def test_a_file_and_a_folder_may_share_a_beginning(place: Path):
    (place / "a.jsonl.gz").touch()
    written(place / "a.jsonl")
    assert list(seen(place)) == ["a", "a.jsonl"]


@pytest.mark.parametrize(
    ("name", "target", "said"),
    [
        ("b.jsonl", "b.jsonl", "simulations/b.jsonl: expected a path under the home, got a link"
         " that leads nowhere"),
        ("b.jsonl", "gone", "simulation b: expected a folder or a file, found none"),
        ("b.jsonl", "n" * 300, "simulation b: expected a folder or a file, found none"),
        ("b.jsonl", "../../outside", "simulations/b.jsonl: expected a path under the home, got a"
         " link out of it"),
    ],
    ids=["circle", "gone", "too long", "out of the home"],
)  # fmt: skip
def test_a_link_that_cannot_be_followed_stops_nobody(
    place: Path, name: str, target: str, said: str
):
    written(place / "a")
    (place / name).symlink_to(target)
    found, others = simulations(Folders(place.parent))
    assert ([entry.name for entry in found], others) == (["a"], [said])


@pytest.mark.parametrize("target", ["b", "gone", "n" * 300])
def test_a_link_that_cannot_be_followed_and_ends_in_nothing_is_no_simulation(
    place: Path, target: str
):
    (place / "b").symlink_to(target)
    assert simulations(Folders(place.parent)) == ([], [])


def test_a_folder_that_cannot_be_read_stops_nobody(place: Path, monkeypatch: pytest.MonkeyPatch):
    for name in ("a", "b", "c"):
        written(place / name)

    def refusing(folders: Folders, name: str) -> tuple[Path, list[Path]]:
        if name == "b":
            raise PermissionError(13, "Permission denied")
        if name == "c":
            raise FileNotFoundError(2, "No such file or directory")
        return simulation_files(folders, name)

    monkeypatch.setattr(found_file, "simulation_files", refusing)
    found, others = simulations(Folders(place.parent))
    assert [entry.name for entry in found] == ["a"]
    assert others == ["simulation b: cannot be read: Permission denied"]


def test_names_that_fit_no_pattern_are_taken_by_none(tmp_path: Path):
    for name in ("a-1", "b-1", "odd", ".hidden"):
        (tmp_path / "simulations" / name).mkdir(parents=True)
    (tmp_path / "simulations" / "single.jsonl").touch()
    (tmp_path / "simulations" / "notes.txt").touch()
    folders = Folders(tmp_path)
    assert untaken(folders, ["a-*", "b-?"]) == ["odd", "single"]
    assert untaken(folders, ["*"]) == []
