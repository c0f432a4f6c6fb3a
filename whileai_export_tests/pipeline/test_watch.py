from __future__ import annotations

from dataclasses import replace

import pytest

from whileai_export.core.holdout import keys_of
from whileai_export.pipeline.watch import Watch, refusing
from whileai_export.shared.findings import Finding
from whileai_export.shared.options import Policy
from whileai_export.shared.tally import Tally
from whileai_export_tests.builders import (
    bad_call_row,
    chat_row,
    job,
    leaking_row,
    steps_row,
    trajectory,
)


def watched(row: dict, **more: object):
    watch, tally = Watch(replace(job(), **more)), Tally()
    found = watch.look(trajectory(row), 4, 9, tally)
    return [(f.gate, f.row, f.line) for f in found], tally, watch


def policed(**policy: object):
    made = job()
    return replace(made, options=replace(made.options, policy=Policy(**policy)))


def test_a_good_row_is_looked_at_and_nothing_is_found():
    found, tally, watch = watched(steps_row(privileged={"note": "long enough to look"}))
    assert found == []
    assert (tally.calls_checked, tally.seen["privileged_leak"].checked) == (1, 1)
    assert watch.texts == ['{"parcel":"7"}']


@pytest.mark.parametrize("block", [None, {}, {"note": "short"}, {"pin": 4418, "kept": True}])
def test_a_block_with_nothing_to_search_was_not_checked(block):
    found, tally, _ = watched(steps_row(privileged=block))
    assert found == []
    assert tally.gate("privileged_leak").checked == 0


def test_arguments_that_are_no_object_are_counted_by_call():
    found, tally, _ = watched(bad_call_row())
    assert found == [("tool_call_roundtrip", 4, 9)]
    assert (tally.calls_checked, tally.calls_invalid) == (1, 1)


def test_a_leak_names_scenario_and_rollout():
    watch = Watch(job())
    (found,) = watch.look(
        trajectory(leaking_row(scenario_id="s", rollout_index=3)), 0, None, Tally()
    )
    assert (found.gate, found.scenario_id, found.rollout_index) == ("privileged_leak", "s", 3)


@pytest.mark.parametrize(
    "ids",
    [
        {"scenario_id": "refund-9284716503", "rollout_index": 9284716503},
        {"scenario_id": 9284716503, "rollout_index": "case 9284716503"},
        {"scenario_id": "he has the amber door code 4418", "rollout_index": None},
    ],
)
def test_an_id_that_quotes_the_block_is_not_named(ids):
    block = {"number": 9284716503, "note": "the amber door code 4418"}
    row = chat_row(reply="9284716503", privileged=block, **ids)
    (found,) = Watch(job()).look(trajectory(row), 0, None, Tally())
    assert (found.gate, found.scenario_id, found.rollout_index) == ("privileged_leak", None, None)


def test_what_was_learnt_of_a_row_is_not_that_of_the_row_before():
    watch = Watch(job())
    watch.look(trajectory(steps_row(privileged={"note": "long enough to look"})), 0, None, Tally())
    watch.look(trajectory(chat_row()), 1, None, Tally())
    assert (watch.texts, watch.needles) == ([], ())


def test_a_held_out_row_is_found():
    evaluation = frozenset(key for _, key in keys_of(trajectory(chat_row())))
    found, tally, _ = watched(chat_row(), holdout=evaluation)
    assert found == [("holdout", 4, 9)]
    assert tally.seen["holdout"].checked == 1


def test_a_gate_that_warns_runs_when_it_is_asked_for():
    found, tally, _ = watched(chat_row(reply="sk-ant-api03-" + "a1B2" * 23), gates=("secrets",))
    assert tally.seen["secrets"].checked == 1
    assert {gate for gate, *_ in found} <= {"secrets"}


@pytest.mark.parametrize(
    ("policy", "gates"),
    [
        ({}, ["readable", "tool_call_roundtrip", "privileged_leak"]),
        ({"validate": False}, ["readable"]),
        ({"on_bad_row": "quarantine"}, ["privileged_leak"]),
        ({"on_leak": "quarantine"}, ["readable", "tool_call_roundtrip"]),
        ({"strict": True, "validate": False}, ["readable", "structure"]),
    ],
)
def test_the_policy_says_which_gates_refuse(policy, gates):
    assert refusing(policed(**policy)) == gates


def test_held_out_rows_refuse_where_the_gates_do():
    held = {"holdout": frozenset({b"key"})}
    assert refusing(replace(policed(), **held))[-1] == "holdout"
    assert "holdout" not in refusing(replace(policed(validate=False), **held))


@pytest.mark.parametrize(
    ("policy", "gates"),
    [
        ({}, set()),
        ({"on_bad_row": "quarantine"}, {"tool_call_roundtrip", "readable"}),
        ({"on_leak": "quarantine"}, {"privileged_leak"}),
    ],
)
def test_the_policy_says_which_gates_keep_a_row_out(policy, gates):
    assert Watch(policed(**policy)).quarantined == gates


def test_the_gate_that_keeps_a_row_out_is_named_first():
    watch = Watch(policed(on_leak="quarantine"))
    structure, leak = Finding("structure", "$", "p"), Finding("privileged_leak", "$", "p")
    assert watch.gravest([structure, leak]) == (leak, structure)
    assert watch.keeps([structure, leak])
    assert not watch.keeps([structure])
    assert watch.unfit([leak])
    assert watch.unfit([structure, leak])
    assert not watch.unfit([structure])
