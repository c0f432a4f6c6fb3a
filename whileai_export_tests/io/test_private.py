"""Private folders."""

from __future__ import annotations

import fcntl
import os

import pytest

from whileai_export.io.private import fetched_folder, private_folder
from whileai_export.shared.errors import OptionError


def test_a_private_folder_and_those_made_above_it_are_for_their_owner_alone(tmp_path):
    private_folder(tmp_path / "a" / "b")
    modes = [path.stat().st_mode & 0o777 for path in (tmp_path / "a", tmp_path / "a" / "b")]
    assert modes == [0o700, 0o700]


def test_a_folder_that_exists_becomes_private(tmp_path):
    (tmp_path / "a").mkdir(0o755)
    private_folder(tmp_path / "a")
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o700


def test_a_file_in_its_place_is_told(tmp_path):
    (tmp_path / "a").write_bytes(b"x")
    with pytest.raises(OptionError, match="cannot be written: Not a directory"):
        private_folder(tmp_path / "a" / "b")


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def test_a_fetched_folder_is_private_and_goes_at_the_end(temporary):
    with fetched_folder() as folder, fetched_folder() as other:
        assert folder.parent == other.parent == temporary
        assert folder != other
        assert folder.stat().st_mode & 0o777 == 0o700
        (folder / "rows.jsonl").write_bytes(b"x")
    assert list(temporary.iterdir()) == []


def test_what_a_killed_run_fetched_goes_with_the_next(temporary):
    left = temporary / "whileai_export.0123456789abcdef.fetched"
    held = temporary / "whileai_export.fedcba9876543210.fetched"
    for folder in (left, held):
        folder.mkdir()
        (folder / "rows.jsonl").write_bytes(b"x")
    number = os.open(held, os.O_RDONLY)
    fcntl.flock(number, fcntl.LOCK_EX)
    with fetched_folder():
        assert not left.exists()
        assert (held / "rows.jsonl").exists()
    os.close(number)
