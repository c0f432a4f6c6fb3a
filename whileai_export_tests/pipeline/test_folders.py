from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from whileai_export.pipeline.folders import replaced
from whileai_export.shared.errors import OptionError

ROOT = Path(__file__).parents[2]
MAKE = """
import os, sys
from pathlib import Path
from whileai_export.pipeline.folders import replaced
renamed = os.rename
def rename(*names):
    if str(names[0]).endswith(sys.argv[2]):
        os.kill(os.getpid(), 9)
    renamed(*names)
os.rename = rename
with replaced(Path(sys.argv[1])) as made:
    (made / "rows").write_text("new")
    print("made", flush=True)
    sys.stdin.read()
"""


def put(place: Path, text: str, former: Path | None = None) -> None:
    with replaced(place, former) as made:
        (made / "rows").write_text(text)


def holds(folder: Path) -> dict[str, str]:
    """Every file under a folder, by its path."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_text() for path in files}


def making(place: Path, killed_at: str = "never") -> subprocess.Popen[str]:
    """Another process that has filled the folder and waits; then killed at a rename, or not."""
    child = subprocess.Popen(
        [sys.executable, "-c", MAKE, str(place), killed_at],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
    )  # fmt: skip
    assert child.stdout is not None
    assert child.stdout.readline() == "made\n"
    return child


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    put(tmp_path / "kept" / "a", "old")
    yield tmp_path / "kept" / "a"
    assert [path.name for path in tmp_path.rglob(".*")] == []


def test_a_folder_takes_the_place_of_the_former_and_is_private(place: Path):
    put(place, "new")
    assert holds(place.parent) == {"a/rows": "new"}
    assert [path.stat().st_mode & 0o777 for path in (place.parent, place)] == [0o700, 0o700]


def test_the_former_may_be_a_file_of_another_name(place: Path):
    (place.parent / "b.jsonl").write_text("old")
    put(place.with_name("b"), "new", place.with_name("b.jsonl"))
    assert holds(place.parent) == {"a/rows": "old", "b/rows": "new"}


def test_an_error_while_it_is_filled_leaves_the_former(place: Path):
    with pytest.raises(TypeError):
        put(place, None)  # type: ignore[arg-type]
    assert holds(place.parent) == {"a/rows": "old"}


def test_a_former_that_had_gone_comes_back_where_the_new_one_cannot_come(
    place: Path, monkeypatch: pytest.MonkeyPatch
):
    rename = Path.rename

    def full(self: Path, target: Path) -> Path:
        if self.name == "new":
            raise OSError(28, "No space left on device")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", full)
    with pytest.raises(Exception, match="a: no space left for it"):
        put(place, "new")
    assert holds(place.parent) == {"a/rows": "old"}


def test_what_cannot_be_written_is_named(tmp_path: Path):
    (tmp_path / "kept").write_text("a file")
    with pytest.raises(OptionError, match="a: cannot be written: "):
        put(tmp_path / "kept" / "a", "new")


def test_a_folder_that_takes_nothing_is_told_by_what_was_to_come_into_it(
    place: Path, monkeypatch: pytest.MonkeyPatch
):
    def closed(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.mkdir", closed)
    with pytest.raises(OptionError, match="kept/a: cannot be written: Permission denied"):
        put(place, "new")


def test_what_a_killed_one_had_made_is_cleared_by_the_next(place: Path):
    with making(place) as child:
        child.kill()
    assert len(list(place.parent.iterdir())) == 2
    put(place.with_name("b"), "other")
    assert holds(place.parent) == {"a/rows": "old", "b/rows": "other"}


def test_one_killed_when_the_former_had_gone_is_finished_by_the_next(place: Path):
    with making(place, killed_at="new") as child:
        child.communicate("", timeout=60)
    assert not place.exists()
    put(place.with_name("b"), "other")
    assert holds(place.parent) == {"a/rows": "new", "b/rows": "other"}


def test_it_takes_no_place_that_was_filled_again_meanwhile(place: Path):
    with making(place, killed_at="new") as child:
        child.communicate("", timeout=60)
    place.with_name("a.jsonl").write_text("another")
    put(place.with_name("b"), "other")
    assert holds(place.parent) == {"a.jsonl": "another", "b/rows": "other"}


def test_what_a_living_one_makes_is_left_alone(place: Path):
    with making(place.with_name("b")) as child:
        put(place, "mine")
        child.communicate("", timeout=60)
    assert holds(place.parent) == {"a/rows": "mine", "b/rows": "new"}
