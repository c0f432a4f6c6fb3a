from __future__ import annotations

from whileai_export.versions import diff
from whileai_export.versions.news import named_rows, short, summary
from whileai_export_tests.versions.homes import Home, row, rows


def test_a_difference_is_told_in_a_few_lines(home: Home) -> None:
    home.cut()
    home.add("desk", [*rows(3)[:-1], row("t2", 1, 0.5), row("t8", 0, 1.0)])
    home.export("desk")
    home.cut()
    found = diff(home.shelf, "v0001", "v0002")
    assert list(summary(found)) == [
        "sft rows: 2 added, 1 removed, 1 regrouped",
        "sft mean reward: 1.0 to 0.9",
        "preference rows: 1 removed, 1 changed (margin 1, rejected_score 1)",
        "preference mean margin: 1.0 to 0.833333",
        "tasks added: 1 (t8)",
        "tasks removed: 1 (t3)",
        "simulations changed: 1 (desk)",
    ]


def test_rows_are_named_by_simulation_and_task_the_first_of_them(home: Home) -> None:
    home.cut()
    home.add("desk", [*rows(3), *(row(f"x{n}", 0, 1.0) for n in range(7)), row("t3", 0, 0.75)])
    home.export("desk")
    home.cut()
    found, ids = diff(home.shelf, "v0001", "v0002"), home.ids("desk")
    added, changed, *_ = named_rows(found)
    assert (added.title, added.more) == ("sft added: 7", 2)
    assert added.rows[:2] == [("desk", "x0", ids["x0"]), ("desk", "x1", ids["x1"])]
    assert changed == ("sft changed: 1", [("desk", "t3", ids["t3"], "reward")], 0)
    assert next(len(sort.rows) for sort in named_rows(found, None)) == 7


def test_a_task_that_is_called_by_all_that_was_asked_in_it_is_cut() -> None:
    assert short("Look\n up A7") == "Look up A7"
    assert short("x" * 60) == "x" * 48 + "…"
    assert short(None) == "-"


def test_no_difference_is_told_too(home: Home) -> None:
    home.cut()
    assert list(summary(diff(home.shelf, "v0001", "v0001"))) == [
        "no row was added, removed or changed"
    ]


def test_an_option_is_told_with_the_simulations_in_which_it_is_another(home: Home) -> None:
    names = ("alpha", "beta", "desk")
    for name in names:
        home.add(name, [*rows(2), row("t8", 0, 0.75)])
        home.export(name)
    home.cut()
    home.export("desk", min_reward=0.9)
    home.cut()
    for name in names:
        home.export(name, min_reward=0.9)
    home.cut()
    told = [list(summary(diff(home.shelf, "v0001", name))) for name in ("v0002", "v0003")]
    assert "sft min_reward: 0.5 to 0.9 in 1 of 3 simulations (desk)" in told[0]
    assert "sft min_reward: 0.5 to 0.9 in all 3 simulations" in told[1]


def test_no_more_simulations_are_named_than_asked_for(home: Home) -> None:
    home.cut()
    found = diff(home.shelf, "v0001", "v0001")
    change = {"step": "sft", "option": "unroll", "from": False, "to": True}
    names = [f"night-{n}" for n in range(7)]
    found["options"] = [{**change, "simulations": names, "of": 9}]
    assert list(summary(found, 2))[-1] == (
        "sft unroll: False to True in 7 of 9 simulations (night-0, night-1, and 5 more)"
    )
    found["options"] = [{"step": "version", "option": "split", "from": 0, "to": 1}]
    assert list(summary(found))[-1] == "version split: 0 to 1"
