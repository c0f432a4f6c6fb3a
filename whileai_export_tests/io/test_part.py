"""Temporary files: locked while written, and told from debris by the lock."""

from __future__ import annotations

import errno
import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from whileai_export.io.part import (
    cannot_write,
    check_room,
    clear_leftovers,
    create,
    make_folder,
    one_at_a_time,
)
from whileai_export.shared.errors import ExportError, OptionError


def test_every_file_has_a_name_of_its_own(tmp_path):
    target = tmp_path / "rows.jsonl"
    made = [create(target, private=False) for _ in range(3)]
    assert len({path for _, path in made}) == 3
    for number, path in made:
        assert path.parent == tmp_path
        assert path.name.startswith(".rows.jsonl.")
        assert path.name.endswith(".part")
        os.close(number)
    clear_leftovers(target)
    assert list(tmp_path.iterdir()) == []


def test_only_this_targets_leftovers_are_cleared(tmp_path):
    kept = [
        ".rows.jsonl.part",
        ".rows.jsonl.0123456789abcdeg.part",
        ".rows.jsonl.bak.0123456789abcdef.part",
        "rows.jsonl.0123456789abcdef.part",
        ".rowsxjsonl.0123456789abcdef.part",
    ]
    for name in [*kept, ".rows.jsonl.0123456789abcdef.part"]:
        (tmp_path / name).write_bytes(b"x")
    clear_leftovers(tmp_path / "rows.jsonl")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(kept)


def test_a_link_in_the_place_of_a_leftover_is_not_followed(tmp_path):
    victim = tmp_path / "victim"
    victim.write_bytes(b"x")
    link = tmp_path / ".rows.jsonl.0123456789abcdef.part"
    link.symlink_to(victim)
    clear_leftovers(tmp_path / "rows.jsonl")
    assert victim.read_bytes() == b"x"


def test_a_file_taken_for_a_leftover_before_it_was_locked_is_made_anew(tmp_path, monkeypatch):
    lock = fcntl.flock
    taken: list[Path] = []

    def lock_late(number: int, how: int) -> None:
        if not taken:
            taken.extend(tmp_path.iterdir())
            taken[0].unlink()
        lock(number, how)

    monkeypatch.setattr(fcntl, "flock", lock_late)
    number, path = create(tmp_path / "rows.jsonl", private=False)
    assert path.exists()
    assert path != taken[0]
    os.close(number)


def test_without_locks_files_are_written_and_nothing_is_cleared(tmp_path, monkeypatch):
    def no_locks(*_: object) -> None:
        raise OSError(errno.ENOLCK, "no locks")

    monkeypatch.setattr(fcntl, "flock", no_locks)
    number, path = create(tmp_path / "rows.jsonl", private=False)
    os.close(number)
    clear_leftovers(tmp_path / "rows.jsonl")
    assert path.exists()


def test_folders_that_were_made_are_named_from_the_innermost(tmp_path):
    assert make_folder(tmp_path / "a" / "b", private=False) == [
        tmp_path / "a" / "b",
        tmp_path / "a",
    ]
    assert make_folder(tmp_path / "a" / "b", private=False) == []


def test_a_full_disk_is_nobodys_mistake_and_a_forbidden_place_is_the_callers():
    full = cannot_write("rows.jsonl", OSError(errno.ENOSPC, "No space left on device"))
    assert type(full) is ExportError
    forbidden = cannot_write("rows.jsonl", PermissionError(errno.EACCES, "Permission denied"))
    assert type(forbidden) is OptionError
    assert str(forbidden) == "rows.jsonl: cannot be written: Permission denied"


def test_nobody_publishes_into_a_folder_that_another_holds(tmp_path):
    code = """
import fcntl, os, sys
number = os.open(sys.argv[1], os.O_RDONLY)
try:
    fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
except OSError:
    print("held")
"""
    ask = [sys.executable, "-c", code, str(tmp_path)]
    with one_at_a_time([tmp_path]):
        held = subprocess.run(ask, capture_output=True, text=True, check=True).stdout
    free = subprocess.run(ask, capture_output=True, text=True, check=True).stdout
    assert (held, free) == ("held\n", "")


def test_a_folder_that_takes_no_file_is_told_by_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    check_room(tmp_path / "new" / "out.jsonl")
    monkeypatch.setattr("os.access", lambda path, _: Path(path) != tmp_path)
    for target in (tmp_path / "out.jsonl", tmp_path / "new" / "er" / "out.jsonl"):
        with pytest.raises(OptionError) as refused:
            check_room(target)
        assert str(refused.value) == f"{target}: cannot be written: Permission denied"
