from __future__ import annotations

from whileai_export.defs.register import census, has_privileged, readable


def report(unreadable: int = 0, compared: int = 3) -> dict[str, object]:
    return {
        "source": {"shapes": {"steps": 3}},
        "tasks": 2,
        "rewards": {"n_pass": 2, "n_fail": 1},
        "repairs": {},
        "characters": 90,
        "counts": {"read": 3 + unreadable, "written": 3, "quarantined": unreadable},
        "findings": {
            "readable": {
                "checked": True,
                "n_checked": 3 + unreadable,
                "count": unreadable,
                "named": [{"line": 4}] * unreadable,
                "refuses": False,
                "summary": f"{unreadable} unreadable",
            }
        },
        "privileged_leaks": {"checked": compared > 0, "n_checked": compared},
    }


def test_the_census_counts_what_was_read():
    told = census(report(unreadable=1))
    assert told["census"].value["unreadable"] == [{"line": 4}]
    assert {name: value for name, value in told.items() if name != "census"} == {
        "rows": 4,
        "unreadable_rows": 1,
        "tasks": 2,
        "pass_rate": 2 / 3,
        "characters": 90,
    }


def test_a_line_that_is_no_row_is_warned_of():
    assert readable(report()).passed
    result = readable(report(unreadable=1))
    assert (result.passed, result.description) == (False, "1 unreadable")


def test_rows_without_a_block_are_warned_of():
    assert has_privileged(report()).description == "3 of 3 rows carry a searchable privileged block"
    result = has_privileged(report(compared=0))
    assert not result.passed
    assert (result.description or "").endswith("the leak gate checks nothing")
