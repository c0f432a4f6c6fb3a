from __future__ import annotations

import json

from whileai_export import export_preference
from whileai_export.pipeline.preference import write_pairs
from whileai_export.shared.options import PairOptions
from whileai_export_tests.builders import SYSTEM, chat_row, leaking_row

GOOD, BAD = chat_row(reply="ok"), chat_row(reply="Lost.", reward=0.25)


def report(*pairs: object, **options: object) -> dict:
    return export_preference(list(pairs), system_prompt=SYSTEM, **options)


def test_a_report_is_json_with_the_documented_keys():
    made = report({"chosen": GOOD, "rejected": BAD})
    assert json.loads(json.dumps(made, allow_nan=False)) == made
    assert made.keys() >= {
        *("pairs", "format", "tool_call_roundtrip", "ties_dropped", "no_completion_dropped"),
        *("chosen_longer_frac", "first_turn_identical", "mean_margin", "warnings", "path"),
        *("source", "output", "counts", "repairs", "findings", "options", "options_digest"),
    }


def test_means_are_those_of_the_pairs_that_were_written():
    pairs = [{"chosen": GOOD, "rejected": BAD}] * 2 + [{"chosen": chat_row("x", "y"), "rejected":
             chat_row("x", "z", 0)}]  # fmt: skip
    made = report(*pairs, dedupe=True)
    assert (made["pairs"], made["mean_margin"], made["duplicates"]) == (2, 0.875, 1)
    assert made["chosen_longer_frac"] == 0.0


def test_without_a_pair_there_is_no_mean():
    made = report(validate=False)
    assert (made["mean_margin"], made["chosen_longer_frac"]) == (None, None)


def test_pairs_without_scores_have_no_margin():
    made = report({"chosen": GOOD["messages"], "rejected": BAD["messages"]})
    assert (made["pairs"], made["mean_margin"]) == (1, None)


def test_repairs_are_counted_once():
    thinks = chat_row(reply="<think>x</think>ok")
    assert report({"chosen": thinks, "rejected": BAD})["repairs"] == {"think_closed": 1}
    with write_pairs(
        [thinks, chat_row(reply="\ud800", reward=0)], {}, options=PairOptions()
    ) as made:
        assert made.report["repairs"] == {"surrogates_replaced": 1, "think_closed": 1}


def test_where_the_sides_came_from_is_told():
    made = report({"chosen": GOOD, "rejected": BAD["messages"]})
    assert made["source"]["shapes"] == {"messages": 2}
    assert made["source"]["system_prompt_from"] == {"argument": 2}


def test_sides_are_counted_as_rows_of_the_gates():
    made = report({"chosen": leaking_row(), "rejected": leaking_row(reward=0, prompt="x") |
                   {"messages": [*leaking_row()["messages"], *GOOD["messages"]]}},
                  validate=False)  # fmt: skip
    assert made["privileged_leaks"]["n_leaked"] == 2
    assert made["findings"]["structure"]["n_checked"] == 2


def test_one_format_that_cannot_say_a_pair_is_told():
    pair = {"chosen": GOOD, "rejected": chat_row("Else?", "Lost.", 0)}
    made = report(pair, format="trl", validate=False)
    assert (made["pairs"], made["no_completion_dropped"]) == (0, 1)
    with write_pairs([], {}, options=PairOptions()) as outcome:
        assert outcome.report["dropped_by_format"] == {}
