from __future__ import annotations

import json
import random
from typing import Any

import pytest

from whileai_export.versions import verify
from whileai_export.versions.index import Age, Index, Named, counts, shared_tasks
from whileai_export.versions.rows import Row, row_of
from whileai_export_tests.versions.homes import Home, rows


def made(row_id: str, task: str | None = "t1", said: str = "x") -> Row:
    return row_of({"row_id": row_id, "task": task, "prompt": said}, b"")


def bare(said: str) -> Row:
    """A line of a format that has no place for an id."""
    row = {"messages": [{"role": "user", "content": said}]}
    return row_of(row, json.dumps(row).encode())


def line(row_id: str, digest: bytes) -> Row:
    return Row(row_id, "t1", 1.0, digest, "", "{}")


def rows_of(*files: tuple[str, str, str, list[Row]], kind: str = "sft") -> int:
    """How many rows are counted. Every file is its format, its simulation, its split, its rows."""
    with Index() as index:
        for format, simulation, split, lines in files:
            index.add("new", Named(kind, format, simulation), split, lines)
        found: int = counts(index)[kind]["rows"]
        return found


def digests(index: Index, age: Age = "new") -> dict[str, str]:
    return {str(name): digest for name, digest in index.ask(f"select id, digest from {age}")}


def test_lines_with_one_id_are_one_row() -> None:
    with Index() as index:
        lines = [made("a", "t1", "first"), made("a", "t1", "second"), made("b", "t2")]
        index.add("new", Named("sft", "trl-completion", "desk"), "train", lines)
        assert counts(index) == {
            "sft": {"rows": 2, "tasks": 2, "lines": {"trl-completion": {"train": 3}}},
            "tasks": 2,
        }


def test_the_digest_of_a_row_is_those_of_its_lines_in_their_order() -> None:
    with Index() as index:
        file = Named("sft", "trl-completion", "desk")
        index.add("old", file, "train", [line("a", b"\xff\x00"), line("a", b"\xc3\n")])
        index.add("new", file, "test", [line("a", b"\xc3\n"), line("b", b"\xed"),
                                        line("a", b"\xff\x00"), line("a", b"")])  # fmt: skip
        assert digests(index, "old") == {"a": "ff00\nc30a"}
        assert digests(index, "new") == {"a": "c30a\nff00\n", "b": "ed"}


@pytest.mark.parametrize("count", [1, 2, 3, 10])
def test_rows_of_many_lines_differ_where_one_line_does(count: int) -> None:
    chance, file = random.Random(count), Named("sft", "trl-completion", "desk")
    was = {f"{n:016x}": [chance.randbytes(32) for _ in range(count)] for n in range(100)}
    now = {row_id: list(lines) for row_id, lines in was.items()}
    edited = sorted(chance.sample(sorted(now), 40))
    for row_id in edited:
        now[row_id][chance.randrange(count)] = chance.randbytes(32)
    other = sorted(now, key=lambda _: chance.random())
    with Index() as index:
        index.add("old", file, "train", (line(name, d) for name in was for d in was[name]))
        index.add("new", file, "train", (line(name, d) for name in other for d in now[name]))
        found = index.ask("select id from old join new using (kind, format, id)"
                          " where old.digest != new.digest order by id")  # fmt: skip
        assert [row_id for (row_id,) in found] == edited
        assert {len(digest.split("\n")) for digest in digests(index).values()} == {count}


def test_a_row_in_two_formats_is_counted_once() -> None:
    a = [made("a")]
    assert rows_of(("openai", "desk", "train", a), ("trl", "desk", "train", a)) == 1


@pytest.mark.parametrize("kind", ["sft", "preference"])
@pytest.mark.parametrize(
    ("beside", "bare_lines", "expected"),
    [
        pytest.param({"openai": "ab"}, "xy", 2, id="the same rows"),
        pytest.param({"openai": "ab", "trl": "ab"}, "xy", 2, id="the same rows, in three formats"),
        pytest.param({"trl-completion": "aaabb"}, "xy", 2, id="many lines a row"),
        pytest.param({"kto": "a"}, "xyz", 3, id="rows that the format with ids cannot hold"),
        pytest.param({"openai": "abc"}, "x", 3, id="pairs that the format without cannot hold"),
        pytest.param({"kto": "ab", "trl": "bc"}, "xyz", 3, id="rows of two formats with ids"),
        pytest.param({"openai": "abcd"}, "xxyz", 4, id="samples with the same words"),
        pytest.param({}, "xyz", 3, id="alone"),
        pytest.param({}, "xxy", 3, id="alone, with the same words"),
    ],
)
def test_a_format_without_ids_counts_no_row_twice(
    kind: str, beside: dict[str, str], bare_lines: str, expected: int
) -> None:
    files = [(format, "desk", "train", list(map(made, ids))) for format, ids in beside.items()]
    files.append(("fireworks", "desk", "train", list(map(bare, bare_lines))))
    assert rows_of(*files, kind=kind) == expected
    assert rows_of(*files[::-1], kind=kind) == expected


def test_rows_without_ids_are_counted_in_their_simulation_and_split() -> None:
    files = [
        ("openai", "both", "train", [made("a"), made("b")]),
        ("openai", "both", "test", [made("c")]),
        ("fireworks", "both", "train", [bare("x"), bare("y")]),
        ("fireworks", "both", "test", [bare("z")]),
        ("fireworks", "alone", "train", [bare("x"), bare("q")]),
        ("fireworks", "alone", "test", [bare("z")]),
        ("openai", "named", "train", [made("d"), made("e"), made("f"), made("g")]),
    ]
    assert rows_of(*files) == 10


@pytest.mark.parametrize("formats", [("openai", "fireworks"), ("fireworks", "trl"), ("fireworks",)])
@pytest.mark.parametrize("share", [0.0, 0.5])
def test_the_count_of_a_version_is_that_of_its_rows(
    home: Home, formats: tuple[Any, ...], share: float
) -> None:
    home.add("till", rows(3))
    for name in ("desk", "till"):
        home.export(name, formats=formats)
    made = home.cut(test=share)
    told = made.manifest["counts"]
    assert (told["sft"]["rows"], told["preference"]["rows"]) == (7, 7)
    card = (made.folder / "card.md").read_text("utf-8")
    assert ("- sft: 7 rows of " in card, "- preference: 7 rows of " in card) == (True, True)
    assert verify(home.shelf, "v0001").plain()["problems"] == []


def test_equal_lines_without_ids_are_rows_by_simulation_and_place() -> None:
    with Index() as index:
        for simulation in ("desk", "till"):
            file = Named("sft", "fireworks", simulation)
            index.add("new", file, "train", [bare("x"), bare("y"), bare("x"), bare("x")])
        found = list(index.ask("select simulation, nth from new order by 1, 2"))
    assert found == [("desk", n) for n in (0, 0, 1, 2)] + [("till", n) for n in (0, 0, 1, 2)]


def test_tasks_in_two_splits_are_named() -> None:
    with Index() as index:
        sft, pairs = Named("sft", "trl", "desk"), Named("preference", "trl", "desk")
        index.add("new", sft, "train", [made("a", "t1"), made("b", "t2"), made("c", None)])
        index.add("new", pairs, "test", [made("d", "t2"), made("e", None)])
        assert shared_tasks(index) == ["t2"]
