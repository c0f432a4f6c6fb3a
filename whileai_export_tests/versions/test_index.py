from __future__ import annotations

from whileai_export.versions.index import Index, Named, counts, shared_tasks
from whileai_export.versions.rows import Row, row_of


def made(row_id: str, task: str | None, said: str = "x") -> Row:
    return row_of({"row_id": row_id, "task": task, "prompt": said}, b"")


def test_lines_with_one_id_are_one_row() -> None:
    with Index() as index:
        rows = [made("a", "t1", "first"), made("a", "t1", "second"), made("b", "t2")]
        index.add("new", Named("sft", "trl-completion", "desk"), "train", rows)
        assert counts(index) == {
            "sft": {"rows": 2, "tasks": 2, "lines": {"trl-completion": {"train": 3}}},
            "tasks": 2,
        }


def test_a_row_in_two_formats_is_counted_once() -> None:
    with Index() as index:
        for format in ("openai", "trl"):
            index.add("new", Named("sft", format, "desk"), "train", [made("a", "t1")])
        assert counts(index)["sft"]["rows"] == 1


def test_tasks_in_two_splits_are_named() -> None:
    with Index() as index:
        rows, pairs = Named("sft", "trl", "desk"), Named("preference", "trl", "desk")
        index.add("new", rows, "train", [made("a", "t1"), made("b", "t2"), made("c", None)])
        index.add("new", pairs, "test", [made("d", "t2"), made("e", None)])
        assert shared_tasks(index) == ["t2"]
