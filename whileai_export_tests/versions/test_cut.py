from __future__ import annotations

import json
from pathlib import Path

import pytest

from whileai_export.shared.errors import SourceError
from whileai_export.versions import Part, Split, cut
from whileai_export.versions.parts import KINDS
from whileai_export_tests.versions.homes import Home, edit, row, rows, sha256s


def test_a_version_holds_every_file_its_cards_and_its_manifest(home: Home) -> None:
    made = home.cut()
    assert made.new
    assert made.version == "v0001"
    assert sorted(sha256s(made.folder)) == [
        "README.md",
        "card.md",
        "manifest.json",
        "preference/openai/train/desk.jsonl",
        "preference/trl/train/desk.jsonl",
        "sft/openai/train/desk.jsonl",
        "sft/trl/train/desk.jsonl",
    ]
    assert (home.shelf.root / "LATEST").read_text() == "v0001\n"


def test_its_files_are_the_published_ones_and_read_only(home: Home) -> None:
    made = home.cut()
    ours = made.folder / "sft" / "openai" / "train" / "desk.jsonl"
    assert ours.samefile(home.published("sft", "desk") / "sft.openai.jsonl")
    modes = {path.stat().st_mode & 0o777 for path in made.folder.rglob("*") if path.is_file()}
    assert modes == {0o444}


def test_the_same_content_cuts_no_new_version(home: Home) -> None:
    first, before = home.cut(), sha256s(home.path / "versions")
    again = home.cut()
    assert (first.version, again.version, again.new) == ("v0001", "v0001", False)
    assert sha256s(home.path / "versions") == before


def test_another_split_is_other_content(home: Home) -> None:
    home.cut()
    assert home.cut(test=0.5).version == "v0002"
    assert home.cut(test=0.5).new is False


def test_an_older_version_keeps_its_bytes_when_everything_is_exported_again(home: Home) -> None:
    first = home.cut()
    before = sha256s(first.folder)
    home.add("desk", [*rows(), row("t9")])
    home.export("desk", min_reward=0.9)
    second = home.cut()
    assert second.version == "v0002"
    assert sha256s(first.folder) == before
    assert second.manifest["parent"] == "v0001"


def test_a_published_file_that_was_read_only_is_replaced(home: Home) -> None:
    home.cut()
    home.add("desk", rows(5))
    home.export("desk")
    assert home.cut().manifest["counts"]["sft"]["rows"] == 5


def test_counts_are_of_rows_tasks_and_lines(home: Home) -> None:
    lines = {"openai": {"train": 4}, "trl": {"train": 4}}
    assert home.cut().manifest["counts"] == {
        "sft": {"rows": 4, "tasks": 4, "lines": lines},
        "preference": {"rows": 4, "tasks": 4, "lines": lines},
        "tasks": 4,
    }


def test_what_cannot_be_taken_is_named_with_the_reason(home: Home) -> None:
    home.add("shop", rows(2))
    home.export("shop")
    made = cut(home.path, None, home.parts(shop="training_rows was refused (privileged_leak)"))
    assert [entry["simulation"] for entry in made.manifest["inputs"]] == ["desk"]
    assert made.manifest["left_out"] == [
        {"simulation": "shop", "kind": kind,
         "reason": "training_rows was refused (privileged_leak)"}
        for kind in ("sft", "preference")
    ]  # fmt: skip


def test_nothing_to_take_is_refused_with_the_reasons(home: Home) -> None:
    with pytest.raises(SourceError, match=r"no version: desk \(sft\): it crashed"):
        cut(home.path, None, home.parts(desk="it crashed"))
    assert home.shelf.names() == []


def test_where_nothing_was_ever_published_there_is_the_command_that_does_it(home: Home) -> None:
    with pytest.raises(SourceError) as refused:
        cut(home.path, None, [])
    assert str(refused.value) == (
        "no version: nothing is published yet; `whileai-export run SIMULATION` publishes"
    )
    shop = [Part("shop", kind, home.published(kind, "shop")) for kind in KINDS]
    with pytest.raises(SourceError, match="`whileai-export run shop` publishes"):
        cut(home.path, None, shop)


def test_a_simulation_with_newer_input_is_named_though_nothing_published_has_changed(
    home: Home,
) -> None:
    assert home.cut().newer_input == []
    home.add("desk", rows(5))
    again = home.cut()
    assert (again.version, again.new, again.newer_input) == ("v0001", False, ["desk"])
    home.export("desk")
    assert home.cut().newer_input == []


def test_a_manifest_names_the_simulations_that_had_newer_input(home: Home) -> None:
    assert home.cut().manifest["newer_input"] == []
    home.add("shop", rows(2))
    home.export("shop")
    home.add("desk", rows(), policy="Be kind.")
    made = home.cut()
    assert made.manifest["newer_input"] == ["desk"]
    assert [entry["simulation"] for entry in made.manifest["inputs"]] == ["desk", "shop"]
    card = (made.folder / "card.md").read_text("utf-8")
    assert "## Newer input\n\n- desk: what lies there now was not exported yet\n" in card


def test_a_version_that_somebody_edited_is_refused_as_a_parent(home: Home) -> None:
    made = home.cut()
    file = made.folder / "sft" / "trl" / "train" / "desk.jsonl"
    data = file.read_bytes()
    file.unlink()
    file.write_bytes(data.replace(b"Found t0", b"Found T0"))
    home.add("desk", rows(5))
    home.export("desk")
    with pytest.raises(SourceError, match=r"v0001/sft/trl/train/desk.jsonl: its sha256 is "):
        home.cut()
    assert home.shelf.names() == ["v0001"]


def test_a_parent_of_a_newer_schema_is_refused(home: Home) -> None:
    manifest = home.cut().folder / "manifest.json"
    edit(manifest, json.dumps({**json.loads(manifest.read_bytes()), "schema": 2}).encode())
    home.export("desk", formats=("openai",))
    with pytest.raises(SourceError, match=r"v0001/manifest.json: it has schema 2"):
        home.cut()


def test_a_cut_after_a_kill_between_the_version_and_latest_mends_latest(home: Home) -> None:
    home.cut()
    (home.shelf.root / "LATEST").unlink()
    assert home.cut().new is False
    assert home.shelf.latest() == "v0001"


def test_what_a_killed_cut_left_is_cleared(home: Home) -> None:
    left = home.shelf.root / ".v0001.0123456789abcdef.part"
    left.mkdir(parents=True)
    (left / "half").write_text("x")
    assert home.cut().version == "v0001"
    assert not left.exists()


def test_a_named_dataset_has_versions_of_its_own(tmp_path: Path) -> None:
    home = Home(tmp_path, "support")
    home.add("desk", rows())
    home.export("desk")
    made = home.cut()
    assert made.folder == tmp_path / "versions" / "support" / "v0001"
    assert made.manifest["dataset"] == "support"


def test_tasks_are_held_back_whole(home: Home) -> None:
    home.add("desk", rows(40))
    home.export("desk")
    made = home.cut(test=0.3)
    tasks = {
        split: {
            json.loads(line)["task"]
            for path in made.folder.rglob(f"{split}/*.jsonl")
            for line in path.read_text("utf-8").splitlines()
        }
        for split in ("train", "test")
    }
    assert tasks["train"] & tasks["test"] == set()
    assert len(tasks["train"] | tasks["test"]) == 40
    assert 6 <= len(tasks["test"]) <= 18


def test_a_share_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match=r"test_share: expected a share from 0 to below 1, got 1"):
        Split(1)
