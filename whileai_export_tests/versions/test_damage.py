from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from whileai_export.shared.errors import SourceError
from whileai_export.versions import verify
from whileai_export.versions.manifest import sealed
from whileai_export_tests.versions.homes import Home, edit, rows

FILE = "sft/trl/train/desk.jsonl"
MANIFEST = "manifest.json"


def refusal(home: Home) -> str:
    home.add("desk", rows(5))
    home.export("desk")
    with pytest.raises(SourceError) as caught:
        home.cut()
    return str(caught.value)


WAY_ON = (
    ". Nothing is cut after a damaged version: `whileai-export verify {0}` names all that is not"
    " as it was cut; then restore the folder versions/{0} from a copy, or remove it, and cut again"
)


@pytest.mark.parametrize("dataset", [None, "support"])
@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        (FILE, b"{}\n", f"v0001/{FILE}: its sha256 is "),
        (FILE, b"{torn\n", f"line 1: v0001/{FILE}: expected a row"),
        (FILE, None, f"v0001/{FILE}: it is gone"),
        (MANIFEST, None, "v0001/manifest.json: expected a manifest, found none"),
        (MANIFEST, b"{torn", "v0001/manifest.json: expected a manifest, got a damaged file"),
    ],
)
def test_a_cut_after_a_damaged_version_says_what_helps_and_that_helps(
    name: str, data: bytes | None, told: str, dataset: str | None, tmp_path: Path
) -> None:
    home = Home(tmp_path, dataset)
    home.add("desk", rows())
    home.export("desk")
    path = home.cut().folder / name
    if data is None:
        path.unlink()
    else:
        edit(path, data)
    said, full = refusal(home), "support/v0001" if dataset else "v0001"
    assert told in said
    assert said.endswith(WAY_ON.format(full))
    assert not verify(home.shelf, "v0001").intact
    shutil.rmtree(home.shelf.folder("v0001"))
    assert home.cut().version == "v0002"


def test_a_version_of_a_newer_program_is_not_said_to_be_damaged(home: Home) -> None:
    path = home.cut().folder / MANIFEST
    edit(path, json.dumps(sealed({**json.loads(path.read_bytes()), "schema": 2})).encode())
    assert refusal(home).endswith("; read it with the newer program that wrote it")
    with pytest.raises(SourceError, match="it has schema 2"):
        verify(home.shelf, "v0001")
