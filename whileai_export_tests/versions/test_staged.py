from __future__ import annotations

import json
from pathlib import Path

from whileai_export.core.identity import pair_id, turn_id
from whileai_export.versions.staged import StagedRows, found_in


def staged(folder: Path) -> StagedRows:
    turns = [{"role": "user"}, {"role": "assistant"}, {"role": "user"}, {"role": "assistant"}]
    rows = [
        {"row_id": f"{n:016x}", "task": "t1", "rollout_index": n, "source_line": 10 + n,
         "messages": turns}
        for n in range(3)
    ]  # fmt: skip
    (folder / "desk.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return StagedRows(folder, "desk", {})


def test_a_row_is_found_by_its_id(tmp_path: Path) -> None:
    (found,) = found_in(staged(tmp_path), f"{1:016x}", "t1")["rows"]
    assert (found["line"], found["rollout"]) == (11, 1)


def test_an_unrolled_row_is_found_by_its_turn(tmp_path: Path) -> None:
    (found,) = found_in(staged(tmp_path), turn_id(f"{2:016x}", 2), "t1")["rows"]
    assert (found["line"], found["turn"]) == (12, 2)


def test_a_pair_is_found_by_both_sides(tmp_path: Path) -> None:
    pair = pair_id(f"{2:016x}", f"{0:016x}")
    found = found_in(staged(tmp_path), pair, "t1")["rows"]
    assert [(row["side"], row["line"]) for row in found] == [("chosen", 12), ("rejected", 10)]


def test_a_row_of_rows_that_changed_since_is_not_known(tmp_path: Path) -> None:
    rows = staged(tmp_path)._replace(steps={"training_rows": {"sha256": "0" * 64}})
    assert found_in(rows, f"{1:016x}", "t1")["known"] is False
    assert found_in(rows._replace(folder=tmp_path / "no"), "x", "t1")["why"] == (
        "the staged rows are gone"
    )
