from __future__ import annotations

from typing import Any

import pytest

from whileai_export.versions import diff, show
from whileai_export.versions.compared import way
from whileai_export.versions.news import summary
from whileai_export_tests.versions.homes import Home, row, rows


def graded(reward: float = 0.5, count: int = 6) -> list[dict[str, Any]]:
    return [row(f"t{n}", 0, reward) for n in range(count)]


def exported(home: Home, **formats: tuple[str, ...]) -> dict[str, Any]:
    """Simulations in these formats, cut; what became of the rows since the version before."""
    for name, wanted in formats.items():
        home.export(name, formats=wanted)
    found: dict[str, Any] = home.cut().manifest["diff"]
    return found


def moves(found: dict[str, Any], kind: str = "sft") -> tuple[int, int, int]:
    rows = found["rows"][kind]
    return rows["added"]["count"], rows["removed"]["count"], rows["changed"]["count"]


def counted(home: Home, name: str) -> int:
    rows: int = show(home.shelf, name)["counts"]["sft"]["rows"]
    return rows


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("openai trl", "trl", ("rows", {"openai", "trl"})),
        ("openai fireworks", "trl fireworks", ("scores", {"openai", "trl"})),
        ("openai fireworks", "fireworks", ("lines", {"fireworks"})),
        ("fireworks", "fireworks", ("lines", {"fireworks"})),
        ("openai", "fireworks", ("nothing", set())),
        ("", "openai fireworks", ("rows", {"openai"})),
        ("fireworks", "", ("lines", {"fireworks"})),
    ],
)
def test_rows_are_compared_by_their_ids_where_both_sides_have_them(
    old: str, new: str, expected: tuple[str, set[str]]
) -> None:
    assert way(frozenset(old.split()), frozenset(new.split())) == expected


def test_the_mean_reward_stays_where_no_format_is_common(home: Home) -> None:
    home.add("desk", [*graded(0.5, 3), row("t8", 0, 1.0)])
    exported(home, desk=("openai",))
    found = exported(home, desk=("trl",))
    assert found["scores"]["sft"] == {
        "of": "reward", "mean": {"from": 0.625, "to": 0.625}, "changed": 0}  # fmt: skip
    assert moves(found) == (0, 0, 0)
    assert found["formats"][0] == {
        "kind": "sft", "from": ["openai"], "to": ["trl"], "compared": "scores",
        "simulations": ["desk"], "of": 1}  # fmt: skip
    assert list(summary(found))[1] == (
        "sft rows are compared by id and reward alone in 1 of 1 simulation (desk): openai to trl"
    )


def test_a_reward_that_changes_with_the_format_is_a_changed_row(home: Home) -> None:
    home.add("desk", graded())
    exported(home, desk=("openai",))
    home.add("desk", [*graded(count=5), row("t5", 0, 1.0)])
    found = exported(home, desk=("trl",))
    assert found["rows"]["sft"]["changed"]["rows"] == [
        {"row_id": found["rows"]["sft"]["changed"]["rows"][0]["row_id"],
         "simulation": "desk", "task": "t5", "fields": ["reward"]}]  # fmt: skip
    assert found["scores"]["sft"]["changed"] == 1


def test_simulations_that_move_to_more_formats_one_by_one_do_not_drift(home: Home) -> None:
    home.add("desk", graded(1.0))
    home.add("till", graded(0.5))
    exported(home, desk=("trl",), till=("trl",))
    exported(home, desk=("openai", "trl"))
    found = exported(home, till=("openai", "trl"))
    assert found["scores"]["sft"] == {
        "of": "reward", "mean": {"from": 0.75, "to": 0.75}, "changed": 0}  # fmt: skip
    assert moves(found) == (0, 0, 0)


def test_rewards_that_change_in_a_format_of_few_are_counted_as_rows_are(home: Home) -> None:
    home.add("desk", graded(1.0))
    home.add("till", graded(0.5))
    exported(home, desk=("openai", "trl"), till=("trl",))
    home.add("till", graded(0.75))
    found = exported(home, till=("trl",))
    assert found["rows"]["sft"]["changed"]["fields"] == {"reward": 6}
    assert found["scores"]["sft"] == {
        "of": "reward", "mean": {"from": 0.75, "to": 0.875}, "changed": 6}  # fmt: skip


@pytest.mark.parametrize("there", [True, False])
def test_formats_without_ids_that_come_or_go_are_no_rows_that_do(home: Home, there: bool) -> None:
    formats = (("openai", "trl"), ("fireworks",))
    exported(home, desk=formats[not there])
    found = exported(home, desk=formats[there])
    assert (moves(found), moves(found, "preference")) == ((0, 0, 0), (0, 0, 0))
    assert found["tasks"] == {
        "added": {"count": 0, "named": []}, "removed": {"count": 0, "named": []}}  # fmt: skip
    assert [entry["compared"] for entry in found["formats"]] == ["nothing", "nothing"]
    told = list(summary(found))
    change = " to ".join(", ".join(names) for names in (formats[not there], formats[there]))
    assert told[0] == "no row that can be compared was added, removed or changed"
    assert told[1] == f"sft rows cannot be compared in 1 of 1 simulation (desk): {change}"
    assert not any("mean" in line for line in told)


def test_one_simulation_of_two_that_moves_to_a_format_without_ids(home: Home) -> None:
    home.add("desk", graded(1.0))
    home.add("till", graded(0.5))
    exported(home, desk=("openai",), till=("openai",))
    home.add("desk", [*graded(1.0, 5), row("t9", 0, 1.0)])
    found = exported(home, desk=("openai",), till=("fireworks",))
    assert moves(found) == (1, 1, 0)
    assert found["scores"]["sft"]["mean"] == {"from": 1.0, "to": 1.0}
    assert found["tasks"] == {
        "added": {"count": 1, "named": ["t9"]}, "removed": {"count": 0, "named": []}}  # fmt: skip
    assert counted(home, "v0002") - counted(home, "v0001") == 0


def test_a_format_without_ids_that_stays_alone_is_compared_by_its_lines(home: Home) -> None:
    home.add("desk", graded())
    exported(home, desk=("openai", "fireworks"))
    home.add("desk", graded(count=7))
    found = exported(home, desk=("fireworks",))
    assert moves(found) == (1, 0, 0)
    assert found["tasks"]["removed"]["count"] == 0
    assert found["scores"]["sft"]["mean"] == {"from": None, "to": None}


def test_equal_lines_of_several_simulations_are_rows_of_each(home: Home) -> None:
    for name in ("desk", "shop", "till"):
        home.add(name, graded())
    exported(home, desk=("fireworks",), shop=("fireworks",), till=("fireworks",))
    home.add("shop", graded(count=5))
    found = exported(home, shop=("fireworks",))
    assert moves(found) == (0, 1, 0)
    assert [r["simulation"] for r in found["rows"]["sft"]["removed"]["rows"]] == ["shop"]
    assert counted(home, "v0002") - counted(home, "v0001") == -1


def test_a_simulation_that_comes_adds_its_rows_whatever_their_format(home: Home) -> None:
    exported(home, desk=("openai",))
    for name, format in (("shop", "trl"), ("till", "fireworks")):
        home.add(name, rows(3))
        found = exported(home, **{name: (format,)})
        assert moves(found) == (3, 0, 0)
        assert found["formats"] == []
    assert counted(home, "v0003") == 10
    assert diff(home.shelf, "v0003", "v0001")["rows"]["sft"]["removed"]["count"] == 6
