"""Targets: what may not be written, which mode a file gets, what stays of the old one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from whileai_export.io.staging import Staging
from whileai_export.shared.errors import OptionError
from whileai_export_tests.builders import mode
from whileai_export_tests.io.publishing import NEW, OLD, publish


@pytest.mark.parametrize("way", ["same", "relative", "symlink", "hard link"])
def test_the_source_is_never_written(tmp_path, monkeypatch, way):
    source = tmp_path / "rows.jsonl"
    source.write_bytes(OLD)
    monkeypatch.chdir(tmp_path)
    target: Path = {"same": source, "relative": Path("x/../rows.jsonl")}.get(way, Path("link"))
    (tmp_path / "x").mkdir()
    if way == "symlink":
        target.symlink_to(source)
    if way == "hard link":
        target.hardlink_to(source)
    with pytest.raises(OptionError) as caught, Staging(never=[source]) as staging:
        staging.open(target)
    assert str(caught.value) == f"{target}: the output is the source; name another"
    assert source.read_bytes() == OLD


@pytest.mark.usefixtures("memory")
def test_a_source_at_a_url_is_never_written_and_its_neighbour_is():
    with Staging(never=["memory://night/rows.jsonl"]) as staging:
        staging.open("memory://night/train.jsonl")
        with pytest.raises(OptionError, match="the output is the source; name another"):
            staging.open("memory://night/rows.jsonl")


def test_two_outputs_need_two_paths(tmp_path):
    with Staging() as staging:
        staging.open(tmp_path / "rows.jsonl").write(NEW)
        with pytest.raises(OptionError, match="two outputs have this one path"):
            staging.open(tmp_path / "x" / ".." / "rows.jsonl")


def test_a_folder_is_no_file_to_write(tmp_path):
    with pytest.raises(OptionError, match="expected the path of a file to write, got a folder"):
        publish(tmp_path)


def test_a_device_is_never_replaced():
    with pytest.raises(OptionError, match=r"/dev/null: .* got no regular file"):
        publish("/dev/null")
    assert Path("/dev/null").is_char_device()


def test_a_file_in_place_of_a_folder_is_the_callers_mistake(tmp_path):
    (tmp_path / "a").write_bytes(OLD)
    with pytest.raises(OptionError, match="cannot be written: Not a directory"):
        publish(tmp_path / "a" / "rows.jsonl")


def test_an_output_keeps_its_mode(tmp_path):
    target = tmp_path / "rows.jsonl"
    for kept in (0o600, 0o640, 0o664):
        target.write_bytes(OLD)
        target.chmod(kept)
        publish(target)
        assert mode(target) == kept


def test_a_new_output_has_the_mode_the_umask_leaves(tmp_path):
    before = os.umask(0o027)
    try:
        publish(tmp_path / "rows.jsonl")
    finally:
        os.umask(before)
    assert mode(tmp_path / "rows.jsonl") == 0o640


def test_a_private_file_and_its_new_folders_are_for_their_owner_alone(tmp_path):
    tmp_path.chmod(0o755)
    publish(tmp_path / "a" / "b" / "rows.jsonl", private=True)
    assert mode(tmp_path / "a" / "b" / "rows.jsonl") == 0o600
    assert mode(tmp_path / "a" / "b") == mode(tmp_path / "a") == 0o700
    assert mode(tmp_path) == 0o755


def test_a_private_file_is_private_also_where_an_open_one_stood(tmp_path):
    target = tmp_path / "rows.jsonl"
    target.write_bytes(OLD)
    target.chmod(0o644)
    with Staging() as staging:
        sink = staging.open(target, private=True)
        assert mode(sink.path) == 0o600
        sink.write(NEW)
        staging.publish()
    assert mode(target) == 0o600


def test_a_link_stays_and_the_file_it_leads_to_is_replaced(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "rows.jsonl").write_bytes(OLD)
    (tmp_path / "rows.jsonl").symlink_to("data/rows.jsonl")
    publish(tmp_path / "rows.jsonl")
    assert (tmp_path / "rows.jsonl").is_symlink()
    assert (tmp_path / "data" / "rows.jsonl").read_bytes() == NEW


def test_another_name_of_the_old_file_keeps_the_old_bytes(tmp_path):
    target, version = tmp_path / "rows.jsonl", tmp_path / "version.jsonl"
    target.write_bytes(OLD)
    version.hardlink_to(target)
    publish(target)
    assert (target.read_bytes(), version.read_bytes()) == (NEW, OLD)
