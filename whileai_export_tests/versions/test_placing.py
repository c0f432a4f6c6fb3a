from __future__ import annotations

import os
from pathlib import Path

import pytest

from whileai_export.versions.placing import link, settle, write


def test_a_file_gets_a_second_name(tmp_path: Path) -> None:
    write(tmp_path / "a", b"rows")
    link(tmp_path / "a", tmp_path / "b")
    assert (tmp_path / "b").samefile(tmp_path / "a")


def test_a_copy_stands_in_where_links_are_impossible(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(18, "Invalid cross-device link")

    monkeypatch.setattr(os, "link", refuse)
    write(tmp_path / "a", b"rows")
    link(tmp_path / "a", tmp_path / "b")
    assert not (tmp_path / "b").samefile(tmp_path / "a")
    assert (tmp_path / "b").read_bytes() == b"rows"


def test_a_file_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        link(tmp_path / "a", tmp_path / "b")


def test_every_file_of_a_folder_becomes_read_only(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    write(tmp_path / "deep" / "a", b"rows")
    settle(tmp_path)
    assert (tmp_path / "deep" / "a").stat().st_mode & 0o777 == 0o444
