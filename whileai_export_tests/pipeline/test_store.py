from __future__ import annotations

import stat

import pytest

from whileai_export.pipeline.store import bring, brought, listed
from whileai_export.shared.errors import SourceError

URL = "memory://night"


@pytest.fixture
def store(memory):
    memory.pipe("/night/a/trajectories.jsonl", b"1\n")
    memory.pipe("/night/a/profile.json", b"{}")
    return memory


def test_a_copy_is_made_once_and_again_when_the_bytes_have_changed(store, tmp_path):
    folder = tmp_path / "simulations" / "a"
    bring(URL, "a", folder)
    first = folder.stat().st_ino
    bring(URL, "a", folder)
    assert folder.stat().st_ino == first
    before = listed(URL)
    store.pipe("/night/a/trajectories.jsonl", b"1\n2\n")
    assert listed(URL).keys() == before.keys()
    assert listed(URL) != before
    bring(URL, "a", folder)
    assert (folder / "trajectories.jsonl").read_bytes() == b"1\n2\n"
    assert [path.name for path in folder.parent.iterdir()] == ["a"]
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_somebody_elses_simulation_is_not_replaced(store, tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "trajectories.jsonl").write_bytes(b"mine\n")
    with pytest.raises(SourceError, match="simulation a: expected a copy of memory://night"):
        bring(URL, "a", tmp_path / "a")
    assert (tmp_path / "a" / "trajectories.jsonl").read_bytes() == b"mine\n"


def test_a_fetch_that_fails_leaves_the_former_copy(store, tmp_path, monkeypatch):
    bring(URL, "a", tmp_path / "a")
    store.pipe("/night/a/trajectories.jsonl", b"1\n2\n")

    def broken(*_: object) -> None:
        raise OSError("gone")

    monkeypatch.setattr(type(store), "get_file", broken)
    with pytest.raises(SourceError, match="cannot be read"):
        bring(URL, "a", tmp_path / "a")
    assert (tmp_path / "a" / "trajectories.jsonl").read_bytes() == b"1\n"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_simulation_that_is_not_there_is_named(store, tmp_path):
    with pytest.raises(SourceError, match="memory://night: holds no simulation b"):
        bring(URL, "b", tmp_path / "b")


def test_a_copy_is_one_of_the_bytes_that_lie_in_the_store_now(store, tmp_path):
    before = listed(URL)["a"]
    assert not brought(URL, before, tmp_path / "a")
    bring(URL, "a", tmp_path / "a")
    assert brought(URL, before, tmp_path / "a")
    store.pipe("/night/a/trajectories.jsonl", b"1\n2\n")
    assert not brought(URL, listed(URL)["a"], tmp_path / "a")
