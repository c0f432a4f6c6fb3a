from __future__ import annotations

import pytest

from whileai_export.core.holdout import asks_of, held_out, keys_of
from whileai_export_tests.builders import chat_row, steps_row, trajectory

EVALUATION = frozenset(key for _, key in keys_of(trajectory(steps_row(scenario_id="sc-1"))))


def held(row: dict) -> list[tuple[str, str]]:
    return [(f.at, f.problem) for f in held_out(trajectory(row), EVALUATION)]


def test_a_row_of_an_evaluation_task_is_found():
    assert held(chat_row(ask="Another one?", scenario_id="sc-1")) == [
        ("$.task", "the row's task stands in an evaluation file")
    ]


def test_a_row_with_an_evaluation_ask_is_found_however_it_is_set():
    assert held(chat_row(ask="WHERE is  parcel 7?", scenario_id="sc-2")) == [
        ("$.ask", "the row's ask stands in an evaluation file")
    ]


def test_a_row_that_is_both_is_found_once():
    assert len(held(steps_row(scenario_id="sc-1"))) == 1


def test_another_task_with_another_ask_is_free():
    assert held(chat_row(ask="Where is parcel 8?", scenario_id="sc-2")) == []


def test_an_ask_is_what_the_row_calls_so_and_what_the_user_said_first():
    assert asks_of(trajectory(steps_row(ask="How far?"))) == ["How far?"]
    assert asks_of(trajectory(chat_row(ask="How far?"))) == ["How far?"]
    assert asks_of(trajectory(chat_row(ask="How far?", task="walk-12"))) == ["walk-12", "How far?"]


@pytest.mark.parametrize("label", ["prompt", "question", "input", "task", "ask"])
def test_a_label_does_not_hide_what_was_asked(label: str):
    assert held({**chat_row(scenario_id="sc-2"), label: "walk-12"}) == [
        ("$.ask", "the row's ask stands in an evaluation file")
    ]


def test_a_row_whose_ask_was_only_named_is_found():
    assert held(chat_row(ask="Hm?", prompt="Where is parcel 7?", scenario_id="sc-2")) == [
        ("$.ask", "the row's ask stands in an evaluation file")
    ]


def test_a_row_without_an_ask_is_known_by_its_task_alone():
    row = {"messages": [{"role": "assistant", "content": "Hello."}], "scenario_id": "sc-1"}
    assert [kind for kind, _ in keys_of(trajectory(row))] == ["task"]


def test_a_row_with_neither_task_nor_ask_is_known_by_nothing():
    assert keys_of(trajectory({"messages": [{"role": "assistant", "content": "Hello."}]})) == []
