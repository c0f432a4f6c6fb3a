from __future__ import annotations

from dataclasses import replace

import pytest

from whileai_export.pipeline.verdict import sentence, unreadable, verdict
from whileai_export.shared.errors import GateError, OptionError, SourceError
from whileai_export.shared.findings import Finding, Gate
from whileai_export.shared.options import Policy, Selection
from whileai_export.shared.tally import Tally
from whileai_export_tests.builders import job


def tally(read: int = 10, quarantined: int = 0, **found: int) -> Tally:
    made = Tally(read=read, quarantined=quarantined)
    for gate, count in found.items():
        for row in range(count):
            made.gate(gate).add([Finding(gate, "$.at", "expected more", row, row + 1)])
    return made


def judged(made: Tally, *, policy: Policy | None = None, pairs: bool = False, **selection: object):
    options = replace(job().options, policy=policy or Policy(), selection=Selection(**selection))
    report = {"findings": {"readable": {"count": made.gate("readable").count}}}
    report |= {"pairs": 0} if pairs else {}
    return verdict(report, replace(job(), options=options), made)


def test_a_good_export_is_not_refused():
    assert judged(tally()) is None


@pytest.mark.parametrize(
    ("gate", "policy", "code", "aside"),
    [
        (
            "tool_call_roundtrip",
            Policy(),
            "tool_call_roundtrip_invalid",
            '. To leave these rows out: on_bad_row="quarantine"',
        ),
        (
            "privileged_leak",
            Policy(),
            "privileged_leak",
            '. To leave these rows out: on_leak="quarantine"',
        ),
        ("structure", Policy(strict=True), "structure_invalid", ""),
    ],
)
def test_a_gate_refuses_with_its_code_the_first_places_and_what_sets_them_aside(
    gate: Gate, policy: Policy, code: str, aside: str
):
    error = judged(tally(**{gate: 2}), policy=policy)
    assert isinstance(error, GateError)
    assert error.code == code
    assert str(error) == (
        f"{code}: 2 of 10 rows. line 1 $.at: expected more; line 2 $.at: expected more{aside}"
    )


def test_a_gate_that_looked_and_found_nothing_refuses_nothing():
    made = tally()
    made.gate("privileged_leak").checked = 10
    made.gate("tool_call_roundtrip").checked = 10
    assert judged(made) is None


def test_the_first_three_places_are_named_by_line_else_by_row():
    found = [Finding("privileged_leak", f"$.{n}", "a quote", row=n) for n in range(2)]
    found += [Finding("privileged_leak", f"$.{n}", "a quote", row=n, line=9) for n in (2, 3)]
    assert sentence(4, "10 rows", found) == (
        "4 of 10 rows. row 0 $.0: a quote; row 1 $.1: a quote; line 9 $.2: a quote"
    )


def test_sides_of_pairs_are_counted_as_such():
    assert "2 of 20 sides" in str(judged(tally(privileged_leak=2), pairs=True))
    report = {"findings": {"readable": {"count": 0}}, "pairs": 0, "tasks_seen": 3}
    assert "2 of 10 rows" in str(verdict(report, job(), tally(privileged_leak=2)))


def test_pairs_that_somebody_made_are_not_asked_for_their_grades():
    assert judged(tally(read=3), pairs=True, min_reward=0.5) is None


def test_an_unreadable_row_comes_before_every_gate():
    error = judged(tally(readable=3, privileged_leak=1))
    assert isinstance(error, SourceError)
    assert str(error) == (
        "line 1: expected more - at `$.at` (2 more rows like it cannot be read)."
        ' To leave these rows out: on_bad_row="quarantine"'
    )


def test_rows_that_all_can_be_read_are_no_problem():
    assert unreadable(tally()) is None


def test_nothing_read_is_refused_but_for_pairs_that_somebody_made():
    assert isinstance(judged(tally(read=0)), SourceError)
    assert judged(tally(read=0), pairs=True) is None


@pytest.mark.parametrize(
    ("read", "quarantined", "limit", "refused"),
    [(100, 5, 0.05, False), (100, 6, 0.05, True), (100, 29, 0.29, False), (10, 1, 0, True)],
)
def test_more_than_the_limit_in_quarantine_refuses(read, quarantined, limit, refused):
    policy = Policy(on_bad_row="quarantine", max_quarantined=limit)
    error = judged(tally(read, quarantined), policy=policy)
    assert (error is not None) == refused
    if refused:
        assert str(error).startswith(f"quarantine_limit: {quarantined} of {read} rows")


def test_all_rows_ungraded_name_the_option():
    made = tally(read=3)
    made.rewards.update(null=2, text=1)
    error = judged(made, min_reward=0.5)
    assert isinstance(error, OptionError)
    assert str(error).startswith("min_reward=0.5: all 3 readable rows are ungraded")
    assert judged(made) is None


def test_one_row_alone_is_named_so():
    made = tally(read=2, readable=1)
    made.rewards.update(null=1)
    error = judged(made, policy=Policy(on_bad_row="quarantine"), min_reward=0.5)
    assert str(error) == (
        "min_reward=0.5: the one readable row is ungraded, so none can reach it;"
        " grade it (reward, a number from 0 to 1), or set min_reward to none"
    )


def test_where_nothing_can_be_read_nobody_is_asked_for_grades():
    policy = Policy(on_bad_row="quarantine", max_quarantined=1.0)
    assert judged(tally(2, 2, readable=2), policy=policy, min_reward=0.5) is None


def test_one_graded_row_is_enough():
    made = tally(read=3)
    made.rewards.update(null=2)
    assert judged(made, min_reward=0.5) is None
