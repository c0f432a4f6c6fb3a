from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from whileai_export.cli import published

USER = {"role": "user", "content": "Hi"}
REPLY = {"role": "assistant", "content": "Hello"}


@pytest.mark.parametrize(
    ("row", "format"),
    [
        ({"prompt": "Hi", "chosen": [USER, REPLY], "rejected": [USER]}, "openai"),
        ({"prompt": [USER], "chosen": [REPLY], "rejected": [REPLY]}, "trl"),
        ({"prompt": [USER], "completion": [REPLY]}, "trl-completion"),
        ({"prompt": [USER], "completion": [REPLY], "label": True}, "kto"),
        ({"messages": [USER, REPLY | {"weight": 1}]}, "fireworks"),
        ({"input": {}, "preferred_output": [], "non_preferred_output": []}, "fireworks"),
        ({"messages": [USER, REPLY], "loss_mask": [0, 1]}, None),
        ({"prompt": "Hi", "steps": []}, None),
    ],
)
def test_the_columns_tell_the_format(row: dict[str, Any], format: str | None):
    assert published.told_by(row) == format


def test_a_gzipped_file_is_read_too(tmp_path: Path):
    file = tmp_path / "p.jsonl.gz"
    row = {"prompt": [USER], "completion": [REPLY]}
    file.write_bytes(gzip.compress(json.dumps(row).encode()))
    assert published.format_of(str(file)) == "trl-completion"


@pytest.mark.parametrize("data", [b"", b"{broken", b"[1]\n", b"\xff\xfe"])
def test_what_is_no_row_tells_nothing(tmp_path: Path, data: bytes):
    file = tmp_path / "p.jsonl"
    file.write_bytes(data)
    assert published.format_of(str(file)) is None


def test_what_follows_the_prompt_is_taught():
    row = {"prompt": [USER], "chosen": [REPLY], "rejected": [REPLY]}
    assert [side.mask for side in published.sides(row)] == [[0, 1], [0, 1]]


def test_a_weight_says_itself_what_is_taught():
    row = {"messages": [USER, REPLY | {"weight": 0}]}
    assert [side.mask for side in published.sides(row)] == [[0, 0]]


@pytest.mark.parametrize(
    ("rows", "format"),
    [
        ([{"prompt": [USER], "chosen": [REPLY, USER, REPLY], "rejected": [REPLY]}], "trl"),
        ([{"prompt": [USER, REPLY, USER], "chosen": [REPLY], "rejected": [REPLY]}],
         "trl-completion"),
        ([{"prompt": [USER], "chosen": [REPLY | {"tool_calls": [{}]}], "rejected": [REPLY]}],
         "trl-completion"),
        ([{"prompt": [USER], "chosen": [REPLY], "rejected": [REPLY]}] * 2
         + [{"prompt": [USER, REPLY, USER], "chosen": [REPLY], "rejected": [REPLY]}],
         "trl-completion"),
        ([{"prompt": [USER], "chosen": [REPLY], "rejected": [REPLY]}], "trl"),
    ],
)  # fmt: skip
def test_pairs_of_single_turns_inside_conversations_are_told_from_pairs_of_whole_replies(
    rows: list[dict[str, Any]], format: str, tmp_path: Path
):
    file = tmp_path / "p.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert published.format_of(str(file)) == format


def test_where_the_rows_of_both_are_the_same_the_name_of_the_file_tells(tmp_path: Path):
    file = tmp_path / "preference.trl-completion.jsonl"
    file.write_text(json.dumps({"prompt": [USER], "chosen": [REPLY], "rejected": [REPLY]}))
    assert published.format_of(str(file)) == "trl-completion"


def test_a_side_is_named_with_its_score_where_it_has_one():
    row = {"prompt": [USER], "chosen": [REPLY], "rejected": [REPLY], "chosen_score": 1.0}
    assert [side.name for side in published.sides(row)] == ["chosen  score 1.0", "rejected"]


def test_rows_are_shown_with_the_lines_that_they_stand_on(tmp_path: Path):
    file = tmp_path / "k.jsonl"
    row = {"prompt": [USER], "completion": [REPLY], "label": True}
    file.write_text(f"\n{json.dumps(row)}\n\n{json.dumps(row)}\n", "utf-8")
    found = published.shown_rows(str(file), range(3)).rows
    assert [(shown.number, shown.line, shown.row) for shown in found] == [(0, 2, row), (1, 4, row)]


def test_a_turn_that_is_no_object_is_shown_for_what_it_is():
    row = {"prompt": "Hi", "chosen": ["Hello"], "rejected": [REPLY]}
    assert [side.turns for side in published.sides(row)] == [[{"content": "Hello"}], [REPLY]]
