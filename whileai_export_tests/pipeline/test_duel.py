from __future__ import annotations

from dataclasses import replace

import orjson

from whileai_export.core.identity import task_key
from whileai_export.pipeline.duel import run_duel
from whileai_export.pipeline.job import Job
from whileai_export.pipeline.part import GAP
from whileai_export.shared.options import PairOptions, Policy, Selection
from whileai_export.shared.schema import Surroundings
from whileai_export_tests.builders import bad_call_row, chat_row, leaking_row, steps_row

GOOD, BAD = chat_row(), chat_row(reply="Lost.", reward=0)
PAIR = {"chosen": GOOD, "rejected": BAD}


def part(*pairs: object, paired: bool = False, **options: object):
    made = Job(PairOptions(**options), Surroundings())
    return run_duel(replace(made, paired=paired), enumerate(pairs, 1))


def filtered(*pairs: object, **options: object) -> dict:
    return dict(part(*pairs, **options).tally.filtered)


def test_a_pair_is_staged_in_every_format():
    formats = ("openai", "trl", "trl-completion", "fireworks")
    made = part(PAIR, formats=formats)
    assert {name: staged.data.count(b"\n") for name, staged in made.staged.items()} == (
        dict.fromkeys(formats, 1)
    )
    assert made.tasks == [task_key("Where is parcel 7?")]


def test_every_pair_brings_its_own_columns():
    other = {"chosen": chat_row("b", reward=0.9), "rejected": chat_row("b", "No.", 0.1)}
    staged = part(PAIR, other).staged["openai"]
    told = [orjson.loads(line.replace(GAP, b",") + b"}") for line in staged.data.splitlines()]
    names = ("task", "chosen_score", "rejected_score", "length_delta")
    assert [[row[name] for name in names] for row in told] == [
        ["Where is parcel 7?", 1.0, 0.0, 8],
        ["b", 0.9, 0.1, 10],
    ]


def test_pairs_without_a_preference_are_dropped_by_reason():
    tie = {**PAIR, "tie": True}
    silent = {"chosen": GOOD, "rejected": chat_row(reply="<think>hm</think>")}
    equal = {"chosen": GOOD, "rejected": chat_row(reply=" At the depot.", reward=0)}
    assert filtered(tie, silent, equal) == {"tie": 1, "no_completion": 1, "equal": 1}
    assert filtered(tie, drop_ties=False) == {}


def test_equal_sides_but_for_call_ids_are_equal():
    one, other = ({**steps_row(), "id": n} for n in "ab")
    assert filtered({"chosen": one, "rejected": {**other, "reward": 0}}) == {"equal": 1}


def test_failed_sides_are_dropped_when_asked():
    cut = {"chosen": GOOD, "rejected": {**BAD, "finish_reason": "length"}}
    failed = {"chosen": {**GOOD, "finish_reason": "error"}, "rejected": BAD}
    assert filtered(cut, failed) == {}
    assert filtered(cut, failed, selection=Selection(drop_failed=True)) == {"cut": 1, "failed": 1}


def test_a_pair_whose_prompts_differ_is_dropped_where_it_must_be_shared():
    pair = {"chosen": GOOD, "rejected": chat_row("And now?", "Lost.", 0)}
    assert filtered(pair, formats=("trl",)) == {"no_completion": 1}
    assert filtered(pair) == {}
    assert part(pair, formats=("openai", "trl")).tally.unsaid == {"trl": 1}


def test_arguments_that_are_no_object_leave_the_object_formats():
    pair = {"chosen": bad_call_row(), "rejected": BAD}
    made = part(pair, formats=("openai", "trl"), policy=Policy(validate=False))
    assert (made.tally.unsaid, made.tally.calls_invalid) == ({"trl": 1}, 1)


def test_findings_name_the_side():
    made = part(PAIR, {"chosen": GOOD, "rejected": leaking_row()})
    (finding,) = made.tally.seen["privileged_leak"].named
    assert (finding.row, finding.line) == (3, 2)


def test_an_unreadable_side_is_named():
    made = part(PAIR, PAIR, {"chosen": 7, "rejected": BAD}, {"chosen": GOOD, "rejected": 7})
    assert [(f.row, f.line, f.at) for f in made.tally.seen["readable"].named] == [
        (4, 3, "$.chosen"),
        (7, 4, "$.rejected"),
    ]


def test_a_chosen_side_reaches_the_least_reward():
    ungraded = {"chosen": chat_row(reward=None), "rejected": BAD}
    low = {"chosen": chat_row(reward=0.7), "rejected": BAD}
    least = Selection(min_reward=0.75)
    assert filtered(PAIR, low, ungraded, selection=least) == {"min_reward": 1, "ungraded": 1}
    assert filtered(low, selection=Selection(min_reward=0.7)) == {}
    assert filtered(low, selection=Selection(min_reward=0.7 + 1e-10)) == {}


def test_pairs_are_told_apart_where_equal_ones_are_left_out():
    other = {"chosen": BAD, "rejected": GOOD}
    assert part(PAIR, PAIR, other).keys == []
    one, again, swapped = part(PAIR, PAIR, other, selection=Selection(dedupe=True)).keys
    assert one == again != swapped


def test_where_each_side_came_from_is_counted():
    tools = [{"type": "function", "function": {"name": "track"}}]
    tally = part({"chosen": steps_row(), "rejected": {**BAD, "tools": tools}}).tally
    assert (tally.shapes, tally.prompts) == ({"steps": 1, "messages": 1}, {"none": 2})
    assert tally.tools == {"none": 1, "row": 1}


def test_rows_that_were_looked_at_before_are_counted_once():
    pair = {"chosen": steps_row(), "rejected": BAD}
    assert part(pair).tally.calls_checked == 1
    again = part(pair, paired=True)
    assert (again.tally.calls_checked, dict(again.tally.shapes)) == (0, {})


def test_what_was_mended_on_either_side_is_counted():
    pair = {"chosen": chat_row(reply="<think>x</think>a"), "rejected": chat_row(reply="\ud800")}
    assert part(pair).tally.repairs == {"think_closed": 1, "surrogates_replaced": 1}


def test_a_pair_without_a_task_is_a_task_of_its_own():
    sides = ([{"role": "assistant", "content": text}] for text in "ab")
    assert part(dict(zip(("chosen", "rejected"), sides, strict=True))).tasks == [None]


def test_the_tools_are_those_of_the_side_that_has_some():
    tools = [{"type": "function", "function": {"name": "track"}}]
    made = part({"chosen": GOOD, "rejected": {**BAD, "tools": tools}})
    assert b'"tools":[{"type"' in made.staged["openai"].data
