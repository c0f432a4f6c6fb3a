from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from whileai_export.shared.errors import SourceError
from whileai_export.versions.rows import Row, ask_of, read_lines, read_rows, row_of

MESSAGES = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Where is it?"},
    {"role": "assistant", "content": "Here."},
]
SFT = {"messages": MESSAGES, "reward": 1.0, "task": "t1", "row_id": "0123456789abcdef"}


def read(**changes: object) -> Row:
    row = {**SFT, **changes}
    return row_of(row, json.dumps(row).encode() + b"\n")


def test_a_row_is_known_by_id_task_and_score() -> None:
    assert read()[:3] == ("0123456789abcdef", "t1", 1.0)


def test_group_fields_and_null_columns_are_no_part_of_what_a_row_is() -> None:
    assert read(k=2, n0=1, reward_mean=0.5, reason=None).digest == read().digest
    assert read(k=2).group != read(k=3).group


def test_any_other_column_is() -> None:
    assert read(reward=0.5).digest != read().digest
    was, now = json.loads(read().fields), json.loads(read(reward=0.5).fields)
    assert {name for name in now if now[name] != was[name]} == {"reward"}


def test_a_row_of_a_format_without_ids_is_its_line() -> None:
    line = json.dumps({"messages": MESSAGES}).encode()
    assert row_of({"messages": MESSAGES}, line + b"\n").id == hashlib.sha256(line).hexdigest()[:16]


def test_the_same_ask_in_any_format_is_one() -> None:
    openai_pair = {"prompt": "Where is it?", "chosen": MESSAGES, "rejected": MESSAGES}
    trl_pair = {"prompt": MESSAGES[:2], "chosen": MESSAGES[2:], "rejected": MESSAGES[2:]}
    louder = [MESSAGES[0], {"role": "user", "content": " where is  IT? "}]
    for other in (openai_pair, trl_pair, {"messages": louder}):
        assert ask_of(other) == ask_of(SFT)
    assert ask_of({"messages": MESSAGES[1:]}) != ask_of(SFT)


def test_the_score_of_a_pair_is_its_margin() -> None:
    assert read(margin=0.25).score == 0.25
    assert read(reward=True).score is None


def test_bytes_that_are_not_the_recorded_ones_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(SFT) + "\n")
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    assert len(list(read_rows(path, "rows.jsonl", sha256))) == 1
    path.write_text(json.dumps({**SFT, "task": "t2"}) + "\n")
    with pytest.raises(SourceError, match=r"rows.jsonl: its sha256 is [0-9a-f]{12}, the manifest"):
        list(read_rows(path, "rows.jsonl", sha256))


def test_a_line_that_is_no_row_is_refused_with_its_number(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(SFT) + "\n[1]\n")
    with pytest.raises(SourceError, match=r"line 2: rows\.jsonl: expected a row"):
        list(read_lines(path, "rows.jsonl"))
