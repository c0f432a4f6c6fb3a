from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from whileai_export.shared.errors import OptionError
from whileai_export.versions import Shelf
from whileai_export.versions.absent import no_dataset


def shelf_with(home: Path, *names: str, dataset: str | None = None) -> Shelf:
    shelf = Shelf.of(home, dataset)
    for name in names:
        shelf.folder(name).mkdir(parents=True)
    return shelf


def refusal(shelf: Shelf, word: str) -> str:
    with pytest.raises(OptionError) as caught:
        shelf.find(word)
    return str(caught.value)


def test_a_tag_whose_version_is_gone_says_so(tmp_path: Path) -> None:
    shelf = shelf_with(tmp_path, "v0001")
    shelf.moves.add("cur", "v0007")
    assert refusal(shelf, "cur") == "the tag 'cur' names v0007, which is gone; there are v0001"
    assert refusal(shelf, "curr") == "there is no version 'curr'; there are v0001"


@pytest.mark.parametrize(("dataset", "before"), [(None, ""), ("support", "support/")])
def test_latest_whose_version_is_gone_says_so(
    dataset: str | None, before: str, tmp_path: Path
) -> None:
    shelf = shelf_with(tmp_path, "v0001", "v0002", dataset=dataset)
    shelf.point("v0002")
    shutil.rmtree(shelf.folder("v0002"))
    told = f"{before}LATEST names {before}v0002, which is gone; there are"
    assert refusal(shelf, "latest") == f"{told} {before}v0001"
    shutil.rmtree(shelf.folder("v0001"))
    assert refusal(shelf, "LATEST") == f"{told} none left: `whileai-export cut` makes one"


def test_a_home_without_any_version_has_none_yet(tmp_path: Path) -> None:
    assert refusal(shelf_with(tmp_path), "LATEST") == (
        "there is no version 'LATEST'; there are none yet: `whileai-export cut` makes one"
    )


def test_versions_of_all_datasets_that_are_called_so_are_named(tmp_path: Path) -> None:
    shelf = shelf_with(tmp_path, "v0001")
    for dataset in ("billing", "support"):
        shelf_with(tmp_path, "v0001", "v0002", dataset=dataset)
    assert refusal(shelf, "v0002") == (
        "there is no version 'v0002'; did you mean billing/v0002 or support/v0002?"
    )
    assert refusal(shelf, "zzz").endswith(
        "; there are v0001; there are billing/v0001, billing/v0002;"
        " there are support/v0001, support/v0002"
    )


def test_a_dataset_that_is_called_almost_so_is_named_with_its_versions(tmp_path: Path) -> None:
    support = shelf_with(tmp_path, "v0001", dataset="support")
    assert str(no_dataset("suport", "v0009", [support])) == (
        "there is no dataset 'suport' with versions; there are support/v0001"
    )


def test_of_many_versions_the_first_and_the_newest_are_named(tmp_path: Path) -> None:
    shelf = shelf_with(tmp_path, *(f"v{n:04}" for n in range(1, 8)))
    assert refusal(shelf, "zzz") == (
        "there is no version 'zzz'; there are v0001, ..., v0004, v0005, v0006, v0007"
    )
