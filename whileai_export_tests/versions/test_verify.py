from __future__ import annotations

import json

import pytest

from whileai_export.versions import verify
from whileai_export.versions.manifest import sealed
from whileai_export_tests.versions.homes import Home, edit

FILE = "sft/openai/train/desk.jsonl"


def test_a_version_that_nobody_touched_is_intact(home: Home) -> None:
    home.cut()
    assert verify(home.shelf, "LATEST").plain() == {
        "version": "v0001",
        "intact": True,
        "files": 4,
        "rows": 16,
        "problems": [],
        "tasks_in_two_splits": [],
    }


def test_one_flipped_byte_is_found(home: Home) -> None:
    path = home.cut().folder / FILE
    data = bytearray(path.read_bytes())
    place = data.index(b"Found t1")
    data[place] ^= 1
    edit(path, bytes(data))
    (problem,) = verify(home.shelf, "v0001").problems
    assert problem.startswith(f"{FILE}: sha256 is ")


def test_one_removed_line_is_found(home: Home) -> None:
    path = home.cut().folder / FILE
    edit(path, path.read_bytes().split(b"\n", 1)[1])
    problems = verify(home.shelf, "v0001").problems
    assert problems[0].startswith(f"{FILE}: sha256 is ")
    assert f"{FILE}: 3 rows, the manifest says 4" in problems
    assert "counts.sft.lines.openai.train: the manifest says 4, the files hold 3" in problems


def test_one_edited_count_is_found(home: Home) -> None:
    path = home.cut().folder / "manifest.json"
    found = json.loads(path.read_bytes())
    found["counts"]["sft"]["tasks"] = 5
    edit(path, json.dumps(found).encode())
    assert verify(home.shelf, "v0001").problems == (
        "manifest.json: it was edited after the version was cut",
        "counts.sft.tasks: the manifest says 5, the files hold 4",
    )


@pytest.mark.parametrize("key", ["files", "counts", "inputs", "documents"])
@pytest.mark.parametrize("value", [None, 7, "text", [7], {"a": 7}, [{}], "gone"])
def test_a_manifest_of_another_shape_is_found(home: Home, key: str, value: object) -> None:
    path = home.cut().folder / "manifest.json"
    found = json.loads(path.read_bytes())
    found[key] = value
    if value == "gone":
        del found[key]
    edit(path, json.dumps(found).encode())
    edited, *rest = verify(home.shelf, "v0001").problems
    assert edited == "manifest.json: it was edited after the version was cut"
    assert rest


def test_a_count_under_a_new_seal_is_found_too(home: Home) -> None:
    path = home.cut().folder / "manifest.json"
    found = json.loads(path.read_bytes())
    found["files"][0]["rows"] = 9
    edit(path, json.dumps(sealed(found)).encode())
    problems = verify(home.shelf, "v0001").problems
    assert problems[0] == "preference/openai/train/desk.jsonl: 4 rows, the manifest says 9"


def test_a_file_more_or_less_is_found(home: Home) -> None:
    folder = home.cut().folder
    (folder / "notes.txt").write_text("mine")
    (folder / "card.md").unlink()
    assert verify(home.shelf, "v0001").problems == (
        "card.md: it is gone",
        "notes.txt: the manifest does not name it",
    )


def test_a_line_that_is_no_row_is_found(home: Home) -> None:
    path = home.cut().folder / FILE
    edit(path, path.read_bytes() + b"{torn\n")
    assert f"line 5: {FILE}: expected a row" in verify(home.shelf, "v0001").problems
