from __future__ import annotations

from pathlib import Path

import pytest

from whileai_export.pipeline.records import record_bytes
from whileai_export.shared.errors import SourceError
from whileai_export.versions.manifest import read_manifest, sealed

CONTENT = {"schema": 1, "version": "v0001", "counts": {"sft": 3}}


def folder_with(place: Path, data: bytes, name: str = "v0001") -> Path:
    folder = place / name
    folder.mkdir()
    (folder / "manifest.json").write_bytes(data)
    return folder


def test_a_manifest_comes_back_as_it_was_written(tmp_path: Path) -> None:
    manifest = sealed(CONTENT)
    assert read_manifest(folder_with(tmp_path, record_bytes(manifest))) == manifest


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"{torn", "v0001/manifest.json: expected a manifest, got a damaged file"),
        (b"[]", "expected a manifest, got a damaged file"),
        (record_bytes({**sealed(CONTENT), "schema": 2}), "it has schema 2, this program reads"),
        (record_bytes({**sealed(CONTENT), "counts": {}}), "it was edited after the version"),
        (record_bytes(sealed({**CONTENT, "version": "v0009"})), "it is the manifest of v0009"),
    ],
)
def test_what_is_no_manifest_of_this_version_is_refused(
    tmp_path: Path, data: bytes, said: str
) -> None:
    with pytest.raises(SourceError, match=said):
        read_manifest(folder_with(tmp_path, data))


def test_a_folder_without_a_manifest_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="expected a manifest, found none"):
        read_manifest(tmp_path)
