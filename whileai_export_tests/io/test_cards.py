"""The card beside published files, as loaders read it."""

from __future__ import annotations

from pathlib import Path

from whileai_export.io.cards import DataFile, dataset_card, declared

CARD = """\
---
configs:
- config_name: "default"
  data_files:
  - split: "train"
    path: ["a.jsonl", "b c.jsonl"]
  - split: "test"
    path: ["test/*.jsonl"]
dataset_info:
- config_name: "default"
  features:
  - {name: "messages", list: json}
  - {name: "loss_mask", list: int64}
  - {name: "reward", dtype: float64}
  - {name: "lineage", dtype: json}
---

# Shop
"""


def test_a_card_names_its_files_and_their_columns():
    files = [
        DataFile("train", "a.jsonl"),
        DataFile("test", "test/*.jsonl"),
        DataFile("train", "b c.jsonl"),
    ]
    columns = {
        "messages": "list[json]",
        "loss_mask": "list[int64]",
        "reward": "float64",
        "lineage": "json",
    }
    assert dataset_card({"default": files}, {"default": columns}, "\n# Shop\n") == CARD


def test_names_are_texts_whatever_they_look_like():
    card = dataset_card({"no": [DataFile("1", "é: #.jsonl")]}, {"no": {'"x"': "string"}}, "")
    assert '- config_name: "no"\n' in card
    assert '  - split: "1"\n    path: ["é: #.jsonl"]\n' in card
    assert '  - {name: "\\"x\\"", dtype: string}\n' in card


def test_a_card_reads_back_as_it_was_declared(tmp_path: Path):
    for name in ("a.jsonl", "b.jsonl", "late.jsonl"):
        (tmp_path / name).write_bytes(b"{}\n")
    files = {"trl": [DataFile("train", "[ab].jsonl"), DataFile("test", "late.jsonl")]}
    features = {"trl": {"messages": "list[json]", 'a "b"': "string"}}
    (tmp_path / "README.md").write_text(dataset_card(files, features, "body"), "utf-8")
    found = declared(tmp_path)
    assert found.features == features
    assert found.files == {
        "trl": {
            "train": [tmp_path / "a.jsonl", tmp_path / "b.jsonl"],
            "test": [tmp_path / "late.jsonl"],
        }
    }


def test_a_folder_without_a_card_is_one_config_of_all_its_files(tmp_path: Path):
    (tmp_path / "a.jsonl").write_bytes(b"{}\n")
    assert declared(tmp_path) == ({"default": {"train": [tmp_path / "a.jsonl"]}}, {})
