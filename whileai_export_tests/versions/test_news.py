from __future__ import annotations

from whileai_export.versions import diff
from whileai_export.versions.news import named_rows, summary
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
    ids = found["rows"]["sft"]["added"]["row_ids"]
    assert next(named_rows(found, 1)) == f"sft added: 2 ({ids[0]}, and 1 more)"


def test_no_difference_is_told_too(home: Home) -> None:
    home.cut()
    assert list(summary(diff(home.shelf, "v0001", "v0001"))) == [
        "no row was added, removed or changed"
    ]
