from __future__ import annotations

import stat

import pytest

from whileai_export.io.store import fetch_stored, stored
from whileai_export.shared.errors import OptionError, SourceError

URL = "memory://night"


@pytest.fixture
def store(memory):
    memory.pipe("/night/a/trajectories.jsonl", b"1\n")
    memory.pipe("/night/a/profile.json", b"{}")
    memory.pipe("/night/b.jsonl.gz", b"2\n")
    memory.pipe("/night/b.meta.json", b"{}")
    memory.pipe("/night/notes.txt", b"")
    memory.pipe("/night/c/profile.json", b"{}")
    memory.pipe("/night/a/deeper/trajectories.jsonl", b"3\n")
    return memory


def test_folders_and_files_are_found_with_what_lies_beside_them(store):
    found = {name: [file for file, _ in s.files] for name, s in stored(URL).items()}
    assert found == {
        "a": ["profile.json", "trajectories.jsonl"],
        "b": ["trajectories.jsonl.gz", "trajectories.meta.json"],
    }


@pytest.mark.parametrize("path", ["/night/a/trajectories.jsonl", "/night/a/profile.json"])
def test_changed_bytes_are_told_without_reading_them(store, path):
    before = stored(URL)
    assert stored(URL) == before
    store.pipe(path, b"12\n")
    after = stored(URL)
    assert (after["a"].mark == before["a"].mark, after["b"].mark == before["b"].mark) == (
        False,
        True,
    )


def test_a_simulation_is_fetched_whole_and_private(store, tmp_path):
    fetch_stored(stored(URL)["b"], tmp_path, URL)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        "trajectories.jsonl.gz": b"2\n",
        "trajectories.meta.json": b"{}",
    }
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o600}


def test_two_files_of_rows_are_refused(store, tmp_path):
    store.pipe("/night/a.jsonl", b"4\n")
    with pytest.raises(SourceError, match=r"night: expected one trajectories\.jsonl, got several"):
        fetch_stored(stored(URL)["a"], tmp_path, URL)


def test_a_folder_that_is_not_there_holds_nothing(store):
    assert stored("memory://nowhere") == {}


def test_what_is_no_store_is_refused():
    with pytest.raises(OptionError, match="cannot be opened"):
        stored("nonsense://night")
