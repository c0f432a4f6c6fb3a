from __future__ import annotations

from pathlib import Path

import pytest

from whileai_export.shared.errors import ExportError, OptionError, SourceError
from whileai_export.versions import Shelf


def shelf_with(home: Path, *names: str) -> Shelf:
    shelf = Shelf.of(home)
    for name in names:
        shelf.folder(name).mkdir(parents=True)
    return shelf


def test_versions_are_listed_oldest_first(tmp_path: Path) -> None:
    shelf = shelf_with(tmp_path, "v0002", "v10000", "v0001", "notes", ".v0003.x.part")
    assert shelf.names() == ["v0001", "v0002", "v10000"]
    assert shelf.newest() == "v10000"


def test_a_home_without_versions_has_none(tmp_path: Path) -> None:
    shelf = Shelf.of(tmp_path)
    assert (shelf.names(), shelf.newest(), shelf.latest(), shelf.next_name()) == (
        [], None, None, "v0001")  # fmt: skip
    assert Shelf.all(tmp_path) == []


def test_a_name_is_never_given_twice(tmp_path: Path) -> None:
    shelf = shelf_with(tmp_path, "v0002")
    assert shelf.next_name() == "v0003"
    shelf.point("v0004")
    assert shelf.next_name() == "v0005"
    shelf.moves.add("prod", "v0007")
    assert shelf.next_name() == "v0008"


def test_a_version_is_found_by_name_tag_or_latest(tmp_path: Path) -> None:
    shelf = shelf_with(tmp_path, "v0001", "v0002")
    shelf.moves.add("prod", "v0001")
    shelf.point("v0002")
    assert [shelf.find(word) for word in ("v0001", "prod", "LATEST", "latest")] == [
        "v0001", "v0001", "v0002", "v0002"]  # fmt: skip


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("v001", "there is no version 'v001'; did you mean v0001?"),
        ("zzz", "there is no version 'zzz'; there are v0001"),
        ("../v0001", "there is no version '../v0001'; did you mean v0001?"),
    ],
)
def test_a_version_that_is_not_there_is_refused(tmp_path: Path, word: str, said: str) -> None:
    with pytest.raises(OptionError, match=said.replace("?", r"\?")):
        shelf_with(tmp_path, "v0001").find(word)


def test_a_version_is_never_overwritten(tmp_path: Path) -> None:
    shelf = shelf_with(tmp_path, "v0001")
    with (
        pytest.raises(ExportError, match="a version is never overwritten"),
        shelf.unfinished("v0001") as folder,
    ):
        shelf.publish(folder, "v0001")
    assert [path.name for path in shelf.root.iterdir()] == ["v0001"]


def test_an_unfinished_folder_is_gone_at_the_end(tmp_path: Path) -> None:
    shelf = shelf_with(tmp_path, "v0001")
    with shelf.unfinished("v0002") as folder:
        (folder / "half").write_text("x")
        assert shelf.names() == ["v0001"]
    assert not folder.exists()


def test_only_leftovers_are_cleared(tmp_path: Path) -> None:
    shelf = shelf_with(tmp_path, "v0001", ".v0002.0123456789abcdef.part", "mine.part")
    (shelf.root / ".LATEST.0123456789abcdef.part").write_text("v0002")
    with shelf.locked():
        assert sorted(path.name for path in shelf.root.iterdir()) == [
            ".lock", "mine.part", "v0001"]  # fmt: skip


def test_a_link_out_of_the_home_is_refused(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "versions").symlink_to(tmp_path)
    with pytest.raises(SourceError, match="got a link out of it"):
        Shelf.of(tmp_path / "home")


def test_every_shelf_of_a_home_is_found(tmp_path: Path) -> None:
    shelf_with(tmp_path, "v0001", "support/v0001", "empty", ".odd/v0001")
    assert [shelf.dataset for shelf in Shelf.all(tmp_path)] == [None, "support"]


def test_a_dataset_is_a_plain_name(tmp_path: Path) -> None:
    for name in ("../versions", ".", "a/b", "-x"):
        with pytest.raises(OptionError, match="dataset: expected letters, digits"):
            Shelf.of(tmp_path, name)
