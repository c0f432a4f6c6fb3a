"""Sources on the disk: files and folders that hold rows, and what is told about all others."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest
import zstandard

from whileai_export.io.source import opened
from whileai_export.shared.schema import Surroundings
from whileai_export_tests.io.sources import EXPECTED, NOTHING, TEXT, TOOLS, on_disk, refusal


@pytest.fixture
def folder(tmp_path) -> Path:
    place = tmp_path / "shop"
    place.mkdir()
    (place / "trajectories.jsonl").write_bytes(TEXT)
    (place / "profile.json").write_text(json.dumps({"policy": "Be kind.", "tools": TOOLS}))
    return place


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("rows.jsonl", TEXT),
        ("rows.jsonl.gz", gzip.compress(TEXT, mtime=0)),
        ("rows.jsonl.zst", zstandard.compress(TEXT)),
        ("rows.ndjson", TEXT),
    ],
)
@pytest.mark.parametrize("as_text", [True, False])
def test_a_file_is_opened_by_its_path(tmp_path, name, content, as_text):
    path = tmp_path / name
    path.write_bytes(content)
    with opened(str(path) if as_text else path) as found:
        assert (found.kind, found.label, found.path) == ("file", str(path), path)
    assert on_disk(path) == ([b'{"prompt": "a"}', b'{"prompt": "b"}'], NOTHING)


def test_a_simulation_folder_brings_its_profile(folder):
    with opened(folder) as found:
        assert (found.kind, found.label) == ("folder", str(folder))
        assert found.path == folder / "trajectories.jsonl"
        assert found.around == Surroundings(
            source_prompt="Be kind.",
            source_tools=TOOLS,
            prompt_from="profile",
            tools_from="profile",
        )


def test_a_packed_simulation_folder_is_one_too(folder):
    (folder / "trajectories.jsonl").unlink()
    (folder / "trajectories.jsonl.gz").write_bytes(gzip.compress(TEXT))
    assert on_disk(folder)[0] == [b'{"prompt": "a"}', b'{"prompt": "b"}']


def test_the_sidecar_comes_before_the_profile(folder):
    (folder / "trajectories.meta.json").write_text('{"system_prompt": "Be brief.", "tools": null}')
    around = on_disk(folder / "trajectories.jsonl")[1]
    assert (around.source_prompt, around.prompt_from) == ("Be brief.", "sidecar")
    assert (around.source_tools, around.tools_from) == (TOOLS, "profile")


def test_the_home_folder_is_understood(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "rows.jsonl").write_bytes(TEXT)
    assert len(on_disk("~/rows.jsonl")[0]) == 2


def test_a_missing_file_is_refused_and_the_nearest_is_named(tmp_path):
    (tmp_path / "airline.jsonl").write_bytes(TEXT)
    missing = tmp_path / "airlnie.jsonl"
    assert refusal(missing) == (
        f"{missing}: no such file or folder (did you mean {tmp_path / 'airline.jsonl'}?); "
        f"expected {EXPECTED}"
    )
    assert refusal("no/such/place") == (
        f"no/such/place: no such file or folder; expected {EXPECTED}"
    )


@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet", "rows.jsonl.bz2", "rows"])
def test_another_kind_of_file_is_refused(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(TEXT)
    assert refusal(path) == f"{path}: expected a .jsonl, .jsonl.gz or .jsonl.zst file"


def test_a_folder_without_trajectories_is_refused(tmp_path):
    assert refusal(tmp_path) == (
        f"{tmp_path}: expected a simulation folder with trajectories.jsonl in it, got a folder"
        " without; pass the file itself, or one simulation's folder"
    )


def test_an_empty_file_is_refused(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"")
    assert refusal(path) == f"{path}: expected rows, got an empty file"


@pytest.mark.parametrize("text", ['{"privileged": "swordfish"}', '[{"a": 1}]', "x" * 5000, "a\nb"])
def test_the_text_of_a_row_is_no_path_and_is_not_repeated(text):
    assert f"text of {len(text)} characters: " in refusal(text)
    assert "swordfish" not in refusal(text)


@pytest.mark.parametrize("text", ["rows\0.jsonl", "a\0b/rows.jsonl"])
def test_a_null_byte_is_no_path(text):
    assert refusal(text) == f"{text}: no such file or folder; expected {EXPECTED}"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else and come back")
def test_a_file_that_may_not_be_read_is_refused(tmp_path_factory):
    folder = tmp_path_factory.mktemp("locked")
    path = folder / "rows.jsonl"
    path.write_bytes(TEXT)
    path.chmod(0o600)
    os.seteuid(65534)
    try:
        assert refusal(path) == f"{path}: cannot be read: Permission denied"
    finally:
        os.seteuid(0)


def test_a_file_url_is_a_path(folder):
    with opened(folder.as_uri()) as found:
        assert (found.kind, found.path) == ("folder", folder / "trajectories.jsonl")
