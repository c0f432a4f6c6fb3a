from __future__ import annotations

from whileai_export.core.identity import turn_id
from whileai_export.core.unroll import (
    masks,
    sample_columns,
    sample_ends,
    shared_columns,
    unrolled_from,
)
from whileai_export_tests.core.turns import assistant, user

ORIGIN = {"prompt_sha1": "86f7e437faa5", "rollout_index": 2}


def test_a_sample_ends_at_every_assistant_turn():
    turns = [user("a"), assistant("b"), user("c"), assistant("d"), user("e")]
    assert sample_ends(turns) == [(1, 2), (2, 4)]


def test_an_empty_assistant_turn_gives_no_sample_and_keeps_its_number():
    turns = [user("a"), assistant(""), user("c"), assistant("d")]
    assert sample_ends(turns) == [(2, 4)]


def test_loss_is_on_the_last_message_alone():
    assert list(masks([(1, 2), (2, 4)])) == [[0, 1], [0, 0, 0, 1]]


def test_a_sample_says_which_row_it_is_of():
    assert unrolled_from({"prompt": "a", "rollout_index": 2}) == ORIGIN


def test_a_sample_names_the_scenario_where_there_is_one():
    assert unrolled_from({"prompt": "a", "scenario_id": "s"}) == {
        "prompt_sha1": "86f7e437faa5",
        "rollout_index": None,
        "scenario_id": "s",
    }


def test_a_row_without_an_ask_has_the_digest_of_nothing():
    assert unrolled_from({})["prompt_sha1"] == "da39a3ee5e6b"


def test_a_sample_says_where_it_stands_and_keeps_its_lineage():
    columns = {"reward": 1.0, "lineage": {"run": "r"}}
    assert sample_columns(shared_columns(columns, ORIGIN), 1, 3) == {
        "reward": 1.0,
        "lineage": {"run": "r", "unrolled_from": ORIGIN},
        "unroll": {"turn": 1, "turns": 3},
    }


def test_a_lineage_that_is_no_object_is_kept_under_a_name():
    assert shared_columns({"lineage": "r"}, ORIGIN)["lineage"] == {
        "of": "r",
        "unrolled_from": ORIGIN,
    }


def test_samples_of_one_conversation_are_no_group():
    columns = {"group_id": "g", "k": 2, "n0": 1, "n1": 1, "reward_mean": 0.5, "reward_std": 0.5}
    assert shared_columns(columns, ORIGIN).keys() == {"lineage"}


def test_samples_of_one_row_have_ids_of_their_own():
    ids = [sample_columns({"row_id": "r"}, turn, 2)["row_id"] for turn in (1, 2)]
    assert ids == [turn_id("r", 1), turn_id("r", 2)]
