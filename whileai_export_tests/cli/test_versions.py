from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from whileai_export_tests.cli.calling import PretendProject, call
from whileai_export_tests.versions.homes import Home, edit, rows


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path)
    home.add("desk", rows())
    home.export("desk")
    home.cut()
    home.add("desk", rows(5))
    home.export("desk")
    home.cut()
    return home


def said(home: Home, *words: str, code: int = 0) -> str:
    done = call(*words, project=PretendProject(home.path))
    assert done.exit_code == code, done.output
    return done.output


def told(home: Home, *words: str, code: int = 0) -> Any:
    return json.loads(said(home, *words, "--json", code=code))


def test_versions_are_listed(home: Home) -> None:
    said(home, "tag", "v0001", "prod")
    lines = [line.split() for line in said(home, "versions").splitlines()]
    assert [line[:6] for line in lines] == [
        ["v0001", "prod", "4", "rows,", "4", "pairs"],
        ["v0002", "LATEST", "5", "rows,", "5", "pairs"],
    ]
    assert [v["version"] for v in told(home, "versions")["datasets"][""]] == ["v0001", "v0002"]


def test_a_home_without_versions_says_how_to_make_one(tmp_path: Path) -> None:
    text = said(Home(tmp_path), "versions")
    assert text.startswith("no version yet; this makes one of what is published: ")
    assert text.endswith(" cut\n")
    assert told(Home(tmp_path), "versions")["datasets"] == {}


@pytest.mark.parametrize("words", [("versions",), ("show", "LATEST"), ("verify", "v0001")])
def test_a_folder_without_a_home_is_said_to_be_one_and_stays_as_it_is(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    done = call(*words, project=PretendProject(tmp_path / "home"))
    assert done.exit_code == 2
    assert done.output.startswith(f"error: there is no home here: expected {tmp_path}/home, ")
    assert list(tmp_path.iterdir()) == []


def test_a_version_is_shown_as_its_changelog(home: Home) -> None:
    said(home, "tag", "v0002", "prod")
    text = said(home, "show", "LATEST")
    assert text.startswith("# v0002\n")
    assert "- sft rows: 1 added" in text
    assert text.endswith("tags: prod\n")
    assert told(home, "show", "v0002")["parent"] == "v0001"


def test_a_difference_names_its_rows(home: Home) -> None:
    row_id = home.ids("desk")["t4"]
    assert f"\nsft added: 1\n  desk  t4  {row_id}\n" in said(home, "diff", "v0001", "v0002")
    found = told(home, "diff", "v0002", "v0001")
    assert found["rows"]["sft"]["removed"]["row_ids"] == [row_id]


def test_of_many_rows_the_first_are_named_and_how_to_see_all(home: Home) -> None:
    home.add("desk", rows(12))
    home.export("desk")
    home.cut()
    text = said(home, "diff", "v0002", "v0003")
    assert "tasks added: 7 (t10, t11, t5, t6, t7, and 2 more)\n" in text
    assert text.count("\n  desk  ") == 10
    assert text.count("\n  and 2 more\n") == 2
    assert text.endswith(" diff v0002 v0003 --all\n")
    whole = said(home, "diff", "v0002", "v0003", "--all")
    assert whole.count("\n  desk  ") == 14
    assert "more" not in whole


def test_an_intact_version_is_verified(home: Home) -> None:
    assert (
        said(home, "verify", "v0002") == "v0002: 4 files, 20 rows in all of them, as it was cut\n"
    )


def test_an_edited_version_ends_with_1_and_is_named(home: Home) -> None:
    path = home.shelf.folder("v0002") / "sft" / "trl" / "train" / "desk.jsonl"
    edit(path, path.read_bytes().replace(b"Found t1", b"Found T1"))
    lines = said(home, "verify", "v0002", code=1).splitlines()
    assert lines[0].startswith("sft/trl/train/desk.jsonl: sha256 is ")
    assert lines[-2:] == [
        "v0002: 4 files, 20 rows in all of them, 1 difference",
        "to get rid of that, restore the folder versions/v0002 from a copy, or remove it",
    ]
    assert told(home, "verify", "v0002", code=1)["intact"] is False


def test_a_version_without_a_manifest_says_how_to_go_on(home: Home) -> None:
    (home.shelf.folder("v0002") / "manifest.json").unlink()
    assert said(home, "verify", "v0002", code=1).splitlines() == [
        "manifest.json: expected a manifest, found none",
        "v0002: 0 files, 0 rows in all of them, 1 difference",
        "to get rid of that, restore the folder versions/v0002 from a copy, or remove it",
    ]


def test_a_line_of_several_simulations_is_traced_to_all_of_them(home: Home) -> None:
    for name in ("desk", "till"):
        home.add(name, rows(1))
        home.export(name, formats=("fireworks",))
    home.cut()
    row_id = told(home, "diff", "v0001", "v0003")["rows"]["sft"]["added"]["row_ids"][0]
    lines = [line.split() for line in said(home, "trace", "v0003", row_id).splitlines()]
    assert ["also", "in", "till"] in lines
    assert told(home, "trace", "v0003", row_id)["also_in"] == ["till"]


def test_a_row_is_traced(home: Home) -> None:
    row_id = home.ids("desk")["t3"]
    text = said(home, "trace", "v0002", row_id)
    assert "line 7, rollout 0" in text
    assert "v0001, v0002" in text
    assert told(home, "trace", "v0002", row_id)["task"] == "t3"


def test_a_tag_is_moved(home: Home) -> None:
    assert said(home, "tag", "v0001", "prod") == "prod is v0001\n"
    assert said(home, "tag", "v0001", "prod") == "prod is v0001\n"
    assert said(home, "tag", "LATEST", "prod") == "prod is v0002 (was v0001)\n"


def test_a_version_is_reproduced(home: Home) -> None:
    assert said(home, "reproduce", "v0002") == "v0002: 4 of 4 files came out the same\n"


def test_a_version_whose_input_changed_ends_with_1(home: Home) -> None:
    text = said(home, "reproduce", "v0001", code=1)
    assert text.startswith("desk: its rows have sha256 ")
    assert text.endswith("v0001: 0 of 4 files came out the same\n")
    assert told(home, "reproduce", "v0001", code=1)["same"] is False


def test_a_version_that_is_not_there_is_one_line(home: Home) -> None:
    assert said(home, "show", "v0003", code=2) == (
        "error: there is no version 'v0003'; did you mean v0002?\n"
    )


def test_versions_of_a_named_dataset_are_called_by_both_names(tmp_path: Path) -> None:
    home = Home(tmp_path, "support")
    home.add("desk", rows())
    home.export("desk")
    home.cut()
    assert said(home, "versions").split()[0] == "support/v0001"
    assert said(home, "verify", "support/LATEST").startswith("v0001: 4 files")
    assert said(home, "diff", "support/v0001", "v0001", code=2).startswith(
        "error: support/v0001 and v0001: expected two versions of one dataset"
    )
