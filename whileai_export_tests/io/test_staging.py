"""Staging: a set of files comes into place together, or not at all."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from whileai_export.io.staging import Staging, Written
from whileai_export.shared.errors import ExportError, OptionError
from whileai_export_tests.builders import mode, names
from whileai_export_tests.io.publishing import NEW, OLD, publish


def test_nothing_is_visible_before_it_is_published(tmp_path):
    target = tmp_path / "rows.jsonl"
    with Staging() as staging:
        staging.open(target).write(NEW)
        assert not target.exists()
        staging.publish()
        assert target.read_bytes() == NEW
    assert names(tmp_path) == ["rows.jsonl"]


def test_what_was_written_is_told(tmp_path):
    target = tmp_path / "rows.jsonl"
    assert publish(target) == [Written(str(target), hashlib.sha256(NEW).hexdigest(), 4)]


def test_without_publish_the_old_file_stays_and_nothing_else(tmp_path):
    target = tmp_path / "rows.jsonl"
    target.write_bytes(OLD)
    with Staging() as staging:
        staging.open(target).write(NEW)
        staging.open(tmp_path / "deep" / "er" / "rows.jsonl").write(NEW)
    assert target.read_bytes() == OLD
    assert names(tmp_path) == ["rows.jsonl"]


def test_the_last_file_is_renamed_after_all_others(tmp_path, monkeypatch):
    renamed = []
    replace = os.replace
    monkeypatch.setattr(os, "replace", lambda a, b: (renamed.append(Path(b).name), replace(a, b)))
    with Staging() as staging:
        for name in ("report.json", "a.jsonl", "b.jsonl"):
            staging.open(tmp_path / name).write(NEW)
        written = staging.publish(last=tmp_path / "report.json")
    assert renamed == ["a.jsonl", "b.jsonl", "report.json"]
    assert [Path(file.path).name for file in written] == renamed


def test_former_files_go_when_the_new_ones_have_come(tmp_path):
    former, kept = tmp_path / "former.jsonl", tmp_path / "kept.jsonl"
    former.write_bytes(OLD)
    kept.write_bytes(OLD)
    with Staging() as staging:
        staging.open(kept).write(NEW)
        staging.withdraw([former, kept, tmp_path / "never.jsonl"])
        assert former.exists()
        staging.publish()
    assert names(tmp_path) == ["kept.jsonl"]


def test_a_publish_may_only_withdraw(tmp_path):
    former = tmp_path / "former.jsonl"
    former.write_bytes(OLD)
    with Staging() as staging:
        staging.withdraw([former])
        assert staging.publish() == []
    assert names(tmp_path) == []


def test_no_file_is_published_empty(tmp_path):
    target = tmp_path / "rows.jsonl.gz"
    target.write_bytes(OLD)
    with Staging() as staging:
        staging.open(tmp_path / "other.jsonl").write(NEW)
        staging.open(target).write(b"")
        with pytest.raises(ExportError, match="nothing was written to it"):
            staging.publish()
    assert target.read_bytes() == OLD
    assert names(tmp_path) == ["rows.jsonl.gz"]


def test_a_missing_folder_is_made(tmp_path):
    publish(tmp_path / "a" / "b" / "rows.jsonl")
    assert (tmp_path / "a" / "b" / "rows.jsonl").read_bytes() == NEW


def test_a_name_as_long_as_a_name_can_be_is_written(tmp_path):
    target = tmp_path / ("ä" * 124 + ".jsonl")
    publish(target)
    assert target.read_bytes() == NEW


def test_a_url_gets_one_whole_upload(memory, monkeypatch, tmp_path):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    url = "memory://out/rows.jsonl"
    with Staging() as staging:
        staging.open(url).write(NEW)
        assert not memory.exists("/out/rows.jsonl")
        (part,) = tmp_path.iterdir()
        assert mode(part) == 0o600
        written = staging.publish()
    assert memory.cat("/out/rows.jsonl") == NEW
    assert written == [Written(url, hashlib.sha256(NEW).hexdigest(), 4)]
    assert names(tmp_path) == []


def test_uploads_that_fail_leave_every_local_file_as_it_was(memory, monkeypatch, tmp_path):
    local = tmp_path / "rows.jsonl"
    local.write_bytes(OLD)

    def fail(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(type(memory), "put_file", fail)
    with Staging() as staging:
        staging.open(local).write(NEW)
        staging.open("memory://out/rows.jsonl").write(NEW)
        with pytest.raises(ExportError, match="cannot be written"):
            staging.publish()
    assert local.read_bytes() == OLD
    assert names(tmp_path) == ["rows.jsonl"]


def test_the_source_is_never_written_at_a_url_either(memory):
    with (
        pytest.raises(OptionError, match="the output is the source"),
        Staging(never=["memory://in/rows.jsonl"]) as staging,
    ):
        staging.open("memory:///in/rows.jsonl")


def test_a_file_url_is_a_path(tmp_path):
    publish((tmp_path / "rows.jsonl").as_uri())
    assert (tmp_path / "rows.jsonl").read_bytes() == NEW


def test_a_staged_file_is_found_by_its_target(tmp_path: Path):
    with Staging() as staging:
        sink = staging.open(tmp_path / "a.jsonl")
        assert staging.staged(tmp_path / "a.jsonl") == sink.path
        assert staging.staged(tmp_path / "b.jsonl") is None
