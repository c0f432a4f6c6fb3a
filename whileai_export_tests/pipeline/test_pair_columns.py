from __future__ import annotations

import json

from whileai_export.core.identity import conversation_key, pair_id, row_id, task_key
from whileai_export.core.needles import needles
from whileai_export.pipeline.job import Job
from whileai_export.pipeline.pair_columns import PairColumns
from whileai_export.pipeline.sides import Match, read_pair
from whileai_export.shared.options import PairOptions
from whileai_export.shared.schema import Surroundings
from whileai_export.shared.tally import Tally
from whileai_export_tests.builders import SECRET, chat_row, messages

QUOTES = "He said the amber door code is 4418."
TASK = "Where is parcel 7?"


def columns(told: dict, wanted=None, *, block=None, extras=(), pair=None, **sides) -> dict:
    made = Job(PairOptions(columns=wanted), Surroundings(), extras=extras, simulation="night")
    raw = {"chosen": chat_row(**sides), "rejected": chat_row(reply="b", **sides), **(pair or {})}
    return PairColumns(made, Tally()).of(read_pair(raw, made), told, needles(block))


def test_every_fact_comes_along_with_the_version():
    assert columns({"task": "t", "margin": 1.0}) == {
        "margin": 1.0, "task": "t", "schema_version": "1",
    }  # fmt: skip


def test_the_columns_that_were_asked_for_come_alone():
    assert list(columns({"margin": 1.0, "task": "t"}, ("row_id", "task"))) == ["task", "row_id"]


def test_a_pairs_id_hashes_both_sides():
    found = columns({}, ("row_id",), rollout_index=3)
    side = row_id("night", task_key(TASK), 3)
    assert found == {"row_id": pair_id(side, side)}


def test_without_a_recorded_rollout_the_conversation_stands_for_it():
    keys = [conversation_key(messages(chat_row(reply=r))).hex() for r in ("At the depot.", "b")]
    sides = [row_id("night", task_key(TASK), key) for key in keys]
    assert columns({}, ("row_id",)) == {"row_id": pair_id(*sides)}


def test_where_rows_were_paired_their_place_stands_for_a_rollout():
    made = Job(PairOptions(columns=("row_id",)), Surroundings(), simulation="night")
    rows = [json.dumps(chat_row(reply=reply, **recorded)).encode()
            for reply, recorded in (("a", {}), ("b", {"rollout_index": 7}))]  # fmt: skip
    found = PairColumns(made, Tally()).of(read_pair(Match(*rows, (2, 5)), made), {}, ())
    sides = [row_id("night", task_key(TASK), rollout) for rollout in (2, 7)]
    assert found == {"row_id": pair_id(*sides)}


def test_ids_that_were_given_are_kept():
    recorded = columns({}, ("row_id",), row_id="0123456789abcdef", loss_mask=[0, 1])
    assert recorded == {"row_id": pair_id("0123456789abcdef", "0123456789abcdef")}
    assert columns({}, ("row_id",), pair={"row_id": "p"}) == {"row_id": "p"}


def test_other_columns_of_the_pair_are_scrubbed():
    pair = {"judge": {"name": "j", "rubric": "x"}, "empty": None}
    wanted = ("judge", "empty")
    assert columns({}, wanted, extras=wanted, pair=pair) == {"judge": {"name": "j"}}


def test_a_reason_that_quotes_the_block_is_left_out():
    told = {"chosen_reason": QUOTES, "rejected_reason": "fine"}
    assert columns(told, block=SECRET) == {"rejected_reason": "fine", "schema_version": "1"}
