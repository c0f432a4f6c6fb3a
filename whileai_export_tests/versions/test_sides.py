from __future__ import annotations

from pathlib import Path

from whileai_export.versions.index import Index, counts
from whileai_export.versions.parts import take
from whileai_export.versions.sides import place
from whileai_export.versions.split import Split
from whileai_export_tests.versions.homes import Home, rows


def placed(home: Home, folder: Path, test: float) -> list[tuple[str, int]]:
    (folder / "held").mkdir(parents=True)
    taken, _ = take(home.parts(), folder / "held")
    with Index() as index:
        files = place(taken, folder, Split(test), index)
        assert counts(index)["sft"]["rows"] == 20
    assert list((folder / "held").iterdir()) == []
    return [(file["path"], file["rows"]) for file in files if file["kind"] == "sft"]


def test_whole_files_are_placed_without_a_split(home: Home, tmp_path: Path) -> None:
    home.add("desk", rows(20))
    home.export("desk")
    assert placed(home, tmp_path / "v", 0.0) == [
        ("sft/openai/train/desk.jsonl", 20),
        ("sft/trl/train/desk.jsonl", 20),
    ]


def test_files_are_divided_row_by_row(home: Home, tmp_path: Path) -> None:
    home.add("desk", rows(20))
    home.export("desk")
    found = dict(placed(home, tmp_path / "v", 0.4))
    assert found["sft/trl/train/desk.jsonl"] + found["sft/trl/test/desk.jsonl"] == 20
    both = [(tmp_path / "v" / path).read_text().splitlines() for path in found if "/trl/" in path]
    published = home.published("sft", "desk") / "sft.trl.jsonl"
    assert sorted(both[0] + both[1]) == sorted(published.read_text().splitlines())


def test_a_file_that_one_side_has_whole_is_the_published_one(home: Home, tmp_path: Path) -> None:
    home.add("desk", rows(20))
    home.export("desk")
    placed(home, tmp_path / "v", 1e-9)
    ours = tmp_path / "v" / "sft" / "trl" / "train" / "desk.jsonl"
    assert ours.samefile(home.published("sft", "desk") / "sft.trl.jsonl")
