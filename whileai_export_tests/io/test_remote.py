"""URLs: told from paths, opened through fsspec, shown without what may be secret."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from whileai_export.io.remote import fetch_if_there, is_url, local_path, place, put, shown
from whileai_export.shared.errors import ExportError, OptionError, SourceError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("s3://bucket/rows.jsonl", True),
        ("memory://rows.jsonl", True),
        ("file:///tmp/rows.jsonl", True),
        ("simplecache::s3://bucket/rows.jsonl", True),
        ("rows.jsonl", False),
        ("/tmp/a:b/rows.jsonl", False),
        ("a::b.jsonl", False),
        ("./s3://x", False),
    ],
)
def test_a_url_is_told_by_its_scheme(text, expected):
    assert is_url(text) is expected


def test_a_file_url_is_a_local_path():
    assert local_path("file:///tmp/a%20b.jsonl") == Path("/tmp/a b.jsonl")
    assert local_path("s3://bucket/rows.jsonl") is None
    assert local_path("rows.jsonl") is None


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://user:pw@host/rows.jsonl?sig=abc#x", "https://host/rows.jsonl"),
        ("s3://bucket/a@b/rows.jsonl", "s3://bucket/a@b/rows.jsonl"),
    ],
)
def test_a_url_is_shown_without_its_secrets(url, expected):
    assert shown(url) == expected


def test_without_fsspec_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(OptionError, match="install whileai-export\\[remote\\]"):
        place("s3://bucket/rows.jsonl")


class Failing:
    def __init__(self, error: Exception) -> None:
        self.error = error

    def exists(self, path: str) -> bool:
        raise self.error

    def makedirs(self, path: str, exist_ok: bool) -> None:
        raise self.error


def test_a_store_that_may_not_say_has_no_sidecar(tmp_path):
    where = place("memory://x/rows.meta.json")._replace(store=Failing(PermissionError()))
    fetch_if_there(where, tmp_path / "a", "memory://x/rows.meta.json")
    assert not (tmp_path / "a").exists()


def test_a_store_that_fails_is_named_without_its_words(tmp_path):
    where = place("memory://x/rows.jsonl")._replace(store=Failing(OSError("token=abc")))
    with pytest.raises(SourceError) as caught:
        fetch_if_there(where, tmp_path / "a", "memory://x/rows.jsonl")
    assert str(caught.value) == "memory://x/rows.jsonl: cannot be read (OSError)"
    with pytest.raises(ExportError) as failed:
        put(tmp_path / "a", where, "memory://x/rows.jsonl")
    assert str(failed.value) == "memory://x/rows.jsonl: cannot be written (OSError)"


def test_a_file_is_uploaded_whole(memory, tmp_path):
    (tmp_path / "a").write_bytes(b"rows\n")
    put(tmp_path / "a", place("memory://deep/er/rows.jsonl"), "memory://deep/er/rows.jsonl")
    assert memory.cat("/deep/er/rows.jsonl") == b"rows\n"


def test_a_file_url_that_names_a_host_is_refused():
    assert local_path("file://localhost/tmp/a.jsonl") == Path("/tmp/a.jsonl")
    with pytest.raises(OptionError) as refused:
        local_path("file://out/a.jsonl")
    assert str(refused.value) == "file://out/a.jsonl: expected file:///PATH, got a host: out"
