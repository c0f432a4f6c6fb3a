from __future__ import annotations

from pathlib import Path

import pytest

from whileai_export.cli.on_shelf import as_cut, on_shelf
from whileai_export.shared.errors import SourceError
from whileai_export.versions import Shelf
from whileai_export_tests.cli.calling import PretendProject, call
from whileai_export_tests.versions.homes import Home, edit, rows


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path)
    for count in (4, 5):
        home.add("desk", rows(count))
        home.export("desk")
        home.cut()
    return home


def said(home: Home, *words: str) -> str:
    done = call(*words, project=PretendProject(home.path))
    assert done.exit_code == 2, done.output
    return done.output


def test_a_dataset_stands_before_the_version(tmp_path: Path):
    project = PretendProject(tmp_path)
    (tmp_path / "versions" / "support" / "v0001").mkdir(parents=True)
    assert on_shelf(project, "support/v0002") == (Shelf.of(tmp_path, "support"), "v0002")
    assert on_shelf(project, "LATEST") == (Shelf.of(tmp_path), "LATEST")


NONE = "there is no version"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("show", "v0001"), f"{NONE} 'v0001'; did you mean support/v0001?"),
        (("show", "LATEST"), f"{NONE} 'LATEST'; did you mean support/LATEST?"),
        (("verify", "v0001"), f"{NONE} 'v0001'; did you mean support/v0001?"),
        (("diff", "v0001", "v0002"), f"{NONE} 'v0001'; did you mean support/v0001?"),
        (("show", "support"), f"{NONE} 'support'; of the dataset support there are support/v0001"),
        (("show", "zzz"), f"{NONE} 'zzz'; there are support/v0001"),
        (("show", "support/v0009"), f"{NONE} 'support/v0009'; did you mean support/v0001?"),
        (
            ("show", "suport/v0001"),
            "there is no dataset 'suport' with versions; did you mean support/v0001?",
        ),
        (
            ("show", "zzz/v0001"),
            "there is no dataset 'zzz' with versions; there are support/v0001",
        ),
        (
            ("show", "../versions/support/v0001"),
            "there is no dataset '../versions/support' with versions; ",
        ),
        (("show", "./v0001"), "there is no dataset '.' with versions; there are support/v0001"),
        (("show", "/v0001"), "there is no dataset '' with versions; there are support/v0001"),
    ],
)
def test_versions_of_named_datasets_are_said_to_be_there(
    words: tuple[str, ...], told: str, tmp_path: Path
):
    home = Home(tmp_path, "support")
    home.add("desk", rows())
    home.export("desk")
    home.cut()
    assert said(home, *words).startswith(f"error: {told}")


def test_the_versions_folder_is_no_dataset(home: Home):
    assert said(home, "show", "../versions/v0001") == (
        "error: there is no dataset '../versions' with versions; no named dataset has versions\n"
    )


@pytest.mark.parametrize("words", [("diff", "v0002", "v0001"), ("trace", "v0001", "0" * 16)])
def test_a_file_that_is_gone_is_named_with_the_command_that_names_the_rest(
    words: tuple[str, ...], home: Home
):
    (home.shelf.folder("v0001") / "sft" / "openai" / "train" / "desk.jsonl").unlink()
    told = said(home, *words)
    assert told.startswith("error: v0001/sft/openai/train/desk.jsonl: it is gone; this names all ")
    assert told.endswith(" verify v0001\n")


def test_a_file_that_is_torn_is_named_with_that_command_too(home: Home):
    path = home.shelf.folder("v0001") / "sft" / "openai" / "train" / "desk.jsonl"
    edit(path, path.read_bytes()[:90])
    told = said(home, "diff", "v0001", "LATEST")
    assert told.startswith("error: line 1: v0001/sft/openai/train/desk.jsonl: expected a row;")
    assert told.endswith(" verify v0001\n")


def test_a_card_that_is_gone_is_named(home: Home):
    (home.shelf.folder("v0002") / "card.md").unlink()
    assert said(home, "show", "LATEST").startswith("error: v0002/card.md: it is gone; this names")


def test_any_other_problem_is_left_as_it_is(home: Home):
    with pytest.raises(FileNotFoundError), as_cut(home.shelf, "v0001"):
        (home.path / "absent").read_bytes()
    with pytest.raises(SourceError, match=r"^no version$"), as_cut(home.shelf, "v0001"):
        raise SourceError("no version")
