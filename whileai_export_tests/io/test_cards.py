"""The card beside published files, as loaders read it."""

from __future__ import annotations

from whileai_export.io.cards import DataFile, dataset_card

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
