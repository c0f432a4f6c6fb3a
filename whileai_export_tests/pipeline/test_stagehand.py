from __future__ import annotations

from dataclasses import replace

import pytest

from whileai_export.core.needles import needles
from whileai_export.pipeline.stagehand import Stagehand, with_cut
from whileai_export.shared.tally import Tally
from whileai_export_tests.builders import SECRET, chat_row, job, trajectory

QUOTES = "He said the amber door code is 4418."


def columns(row: dict, *, private: bool = False, block: object = None, **options: object) -> dict:
    stagehand = Stagehand(replace(job(**options), private=private))
    return stagehand.columns(trajectory(row), needles(block), Tally())


def test_every_carried_column_comes_along_with_the_version():
    assert columns(chat_row(tier="t")) == {
        "reward": 1.0,
        "prompt": "Where is parcel 7?",
        "tier": "t",
        "schema_version": "1",
    }


def test_the_columns_that_were_asked_for_come_alone():
    assert columns(chat_row(tier="t"), columns=("reward", "task")) == {
        "reward": 1.0,
        "prompt": "Where is parcel 7?",
        "task": "Where is parcel 7?",
    }


def test_a_row_without_a_task_has_no_column_for_it():
    row = {"messages": [{"role": "assistant", "content": "a"}]}
    assert columns(row, columns=("task",)) == {}


def test_a_sample_says_where_it_comes_from_whatever_is_asked_for():
    lineage = {"run": 1, "unrolled_from": {"rollout_index": 3}}
    row = chat_row(loss_mask=[0, 1], unroll={"turn": 1, "turns": 2}, lineage=lineage)
    assert columns(row, columns=("reward",)) == {
        "reward": 1.0,
        "prompt": "Where is parcel 7?",
        "lineage": {"unrolled_from": {"rollout_index": 3}},
        "unroll": {"turn": 1, "turns": 2},
    }


def test_a_lineage_that_is_asked_for_comes_whole():
    lineage = {"run": 1, "unrolled_from": {"rollout_index": 3}}
    row = chat_row(loss_mask=[0, 1], unroll={"turn": 1, "turns": 2}, lineage=lineage)
    assert columns(row, columns=("lineage",))["lineage"] == lineage


def test_a_lineage_of_text_says_nothing_of_where_a_sample_comes_from():
    row = chat_row(loss_mask=[0, 1], unroll={"turn": 1, "turns": 2}, lineage="night-7")
    kept = columns(row, columns=("reward",))
    assert kept.keys() == {"reward", "prompt", "unroll"}


def test_an_ask_that_quotes_the_block_gives_way_to_what_the_user_said():
    row = {**chat_row(tone="calm"), "prompt": QUOTES, "ask": QUOTES}
    assert columns(row, block=SECRET) == {
        "reward": 1.0,
        "prompt": "Where is parcel 7?",
        "tone": "calm",
        "schema_version": "1",
    }
    silent = {"messages": [{"role": "assistant", "content": "Hello."}], "prompt": QUOTES}
    assert columns(silent, block=SECRET) == {"schema_version": "1"}
    said = chat_row(ask=QUOTES, reply="Yes.")
    for wanted in (None, ("tier", "prompt")):
        assert columns(said, block=SECRET, columns=wanted)["prompt"] == QUOTES


def test_an_ask_that_quotes_nothing_stays_as_the_row_words_it():
    row = {**chat_row(), "prompt": "Find parcel 7.", "ask": "find"}
    kept = columns(row, block=SECRET)
    assert (kept["prompt"], kept["ask"]) == ("Find parcel 7.", "find")


@pytest.mark.parametrize("name", ["reason", "chosen_reason", "rejected_reason", "task"])
def test_every_text_of_the_grader_is_looked_at(name: str):
    told = Stagehand(job()).without_quotes({name: QUOTES, "k": 2}, needles(SECRET), Tally())
    assert told == {"k": 2}


def test_ids_of_a_sample_that_quote_the_block_are_left_out_and_counted():
    found = needles({"code": "the amber door code", "number": 9284716503})
    for named, kept, left_out in (
        ({"scenario_id": "s", "rollout_index": 3}, ("s", 3), {}),
        ({"scenario_id": "The amber door code", "rollout_index": 3}, (None, 3), {"scenario_id": 1}),
        ({"scenario_id": "s", "rollout_index": 9284716503}, ("s", None), {"rollout_index": 1}),
    ):
        tally = Tally()
        origin = Stagehand(job()).origin(trajectory(chat_row(**named)), found, tally)
        assert (origin["scenario_id"], origin["rollout_index"]) == kept
        assert tally.columns_left_out == left_out


def test_the_origin_of_a_sample_is_looked_at_whatever_is_asked_for():
    lineage = {"unrolled_from": {"scenario_id": "The amber door code"}}
    row = chat_row(loss_mask=[0, 1], unroll={"turn": 1, "turns": 2}, lineage=lineage)
    assert "lineage" not in columns(row, columns=("reward",), block={"c": "the amber door code"})


def test_grader_text_that_quotes_the_block_is_left_out_and_counted():
    stagehand, tally = Stagehand(job()), Tally()
    told = stagehand.without_quotes({"reason": QUOTES, "tone": QUOTES}, needles(SECRET), tally)
    assert told == {"tone": QUOTES}
    assert tally.columns_left_out == {"reason": 1}


def test_any_column_that_was_asked_for_is_looked_at():
    row = chat_row(usage={"notes": [QUOTES]}, tier="t")
    assert columns(row, block=SECRET, columns=("usage", "tier")) == {
        "prompt": "Where is parcel 7?",
        "tier": "t",
    }


def test_private_rows_keep_everything_that_later_gates_need():
    row = chat_row(reason=QUOTES, privileged=SECRET, finish_reason="error", final_text="Else.")
    kept = columns(row, private=True, block=SECRET)
    assert kept == {
        "reward": 1.0,
        "reason": QUOTES,
        "prompt": "Where is parcel 7?",
        "task": "Where is parcel 7?",
        "finish_reason": "error",
        "final_text": "Else.",
        "privileged": SECRET,
        "schema_version": "1",
    }


def test_a_private_row_without_an_ask_has_an_empty_one():
    row = {"messages": [{"role": "assistant", "content": "Hello."}]}
    assert columns(row, private=True) == {"prompt": "", "schema_version": "1"}


def test_a_private_block_that_no_json_can_hold_is_made_to_fit():
    kept = columns(
        chat_row(privileged={"n": 2**70, "x": float("inf"), "rubric": "r"}), private=True
    )
    assert kept["privileged"] == {"n": str(2**70), "x": None, "rubric": "r"}


def test_what_was_cut_is_told_where_something_was():
    assert with_cut({"reward": 1.0}, 0, 0) == {"reward": 1.0}
    assert with_cut({"reward": 1.0, "task": "t"}, 2, 30) == {
        "reward": 1.0,
        "tool_output_truncated": 2,
        "tool_output_chars_cut": 30,
        "task": "t",
    }
