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
    assert [side["loss_mask"] for side in published.sides(row)] == [[0, 1], [0, 1]]


def test_a_weight_says_itself_what_is_taught():
    row = {"messages": [USER, REPLY | {"weight": 0}]}
    assert [side["loss_mask"] for side in published.sides(row)] == [[0, 0]]
