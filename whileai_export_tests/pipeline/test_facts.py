from __future__ import annotations

import pytest

from whileai_export.pipeline.facts import facts
from whileai_export.pipeline.sides import read_pair
from whileai_export_tests.builders import chat_row, job

CHOSEN = chat_row(reward=1, model_version="m", reason="right", lineage={"run": 1}, scenario_id="s")
REJECTED = chat_row(reply="Lost.", reward=0.25, model_version="m", reason="wrong", scenario_id="s",
                    failure_class="lazy", lineage={"run": 2, "rubric": "x"})  # fmt: skip


def told(chosen: object = CHOSEN, rejected: object = REJECTED, **given: object) -> dict:
    pair = {"chosen": chosen, "rejected": rejected, **given}
    return facts(read_pair(pair, job()), (13, 5))


def test_everything_is_read_off_the_sides():
    assert told() == {
        "first_turn_differs": True,
        "chosen_score": 1.0,
        "rejected_score": 0.25,
        "margin": 0.75,
        "chosen_model": "m",
        "rejected_model": "m",
        "same_policy": True,
        "length_delta": 8,
        "chosen_reason": "right",
        "rejected_reason": "wrong",
        "rejected_failure_class": "lazy",
        "task": "s",
        "lineage": {"chosen": {"run": 1}, "rejected": {"run": 2}},
    }


def test_what_was_judged_is_taken_over():
    given = {"chosen_score": 2, "margin": 0.5, "same_policy": False, "length_delta": -1,
             "first_turn_differs": False, "chosen_reason": "better", "task": "t", "tie": True,
             "lineage": {"by": "judge"}}  # fmt: skip
    found = told(**given)
    assert {name: found[name] for name in given} == {**given, "chosen_score": 2.0}
    assert isinstance(found["chosen_score"], float)


def test_lists_of_messages_have_no_facts_but_their_turns():
    turns = CHOSEN["messages"], REJECTED["messages"]
    assert told(*turns) == {
        "first_turn_differs": True,
        "length_delta": 8,
        "task": "Where is parcel 7?",
    }


@pytest.mark.parametrize("value", [True, "1", float("nan"), float("inf"), 10**400, [1]])
def test_a_score_that_is_no_number_is_as_good_as_absent(value):
    assert told(chosen_score=value, margin=value)["chosen_score"] == 1.0
    assert told(chosen_score=value, margin=value)["margin"] == 0.75


@pytest.mark.parametrize("value", [True, "1", 1.5, 2**53, None])
def test_a_difference_in_length_that_is_no_number_is_as_good_as_absent(value):
    assert told(length_delta=value)["length_delta"] == 8


def test_private_keys_of_given_facts_stay_behind():
    assert told(lineage={"run": 1, "hidden_state": "x"})["lineage"] == {"run": 1}


def test_two_models_are_two_policies():
    assert told(rejected={**REJECTED, "model_version": "n"})["same_policy"] is False
    assert "same_policy" not in told(rejected={**REJECTED, "model_version": None})
    assert "same_policy" not in told(chosen={**CHOSEN, "model_version": None})


def test_equal_first_turns_are_told():
    longer = {**REJECTED, "messages": [*CHOSEN["messages"], *REJECTED["messages"]]}
    assert told(rejected=longer)["first_turn_differs"] is False
