from __future__ import annotations

import json
import random
import time
from typing import Any

import pytest

from whileai_export import build_preference_pairs
from whileai_export_tests.hard_inputs.doors import (
    GOOD,
    POOR,
    call,
    exported,
    paired,
    read,
    result,
    row,
    says,
    user,
)
from whileai_export_tests.hard_inputs.rows import shows

REWARDS = {
    "bool": (True, None, 0),
    "text": ("1", None, 0),
    "out_of_range": (1.5, 1.5, 0),
    "null": (None, None, 0),
    "nan": (float("nan"), None, 1),
}


@shows("rewards")
@pytest.mark.parametrize("kind", REWARDS)
def test_a_grade_that_is_none_is_counted_by_kind_and_a_number_kept(tmp_path, kind):
    value, kept, nulled = REWARDS[kind]
    rows, report = exported(tmp_path, row(says("Here."), reward=value), GOOD)
    assert rows[0]["reward"] == kept
    assert report["rewards"]["ungraded_by_kind"] == {kind: 1}
    assert report["rewards"]["n_ungraded"] == 1
    assert report["repairs"].get("nan_nulled", 0) == nulled
    assert rows[0]["n1"] == 1
    report = paired(tmp_path, row(says("There."), reward=value), GOOD)
    assert report["without_pair"] == {"ungraded": 1}


@shows("pairs-same-ask")
def test_rollouts_of_one_ask_are_paired(tmp_path):
    report = paired(tmp_path, GOOD, POOR)
    assert (report["pairs"], report["without_pair"]) == (1, {})
    [pair] = read(tmp_path / "pairs.jsonl")
    assert (pair["chosen"][1]["content"], pair["rejected"][1]["content"]) == (
        *("Here.", "Somewhere."),
    )


@shows("pairs-other-ask")
def test_an_ask_in_other_words_is_no_pair(tmp_path):
    other = {**POOR, "messages": [user("Where, please?"), says("Somewhere.")]}
    assert paired(tmp_path, GOOD, other)["without_pair"] == {"different_ask": 1}


def looked(id: str, text: str = "Here.") -> list[Any]:
    return [user("Where?"), says("", call({"x": 1}, id)), result("found", id), says(text)]


EQUAL = {
    "equal": ([user("Where?"), says("Here.")], [user("Where?"), says("Here.")]),
    "equal_after_stripping": (
        [user("Where?"), says("<think>a</think>Here.")],
        [user("Where?"), says("Here.")],
    ),
    "equal_but_for_ids": (looked("a"), looked("b")),
}


@shows("pairs-equal")
@pytest.mark.parametrize(("one", "other"), EQUAL.values(), ids=EQUAL)
def test_equal_replies_are_skipped_for_the_next_candidate(tmp_path, one, other):
    good, poor = {**GOOD, "messages": one}, {**POOR, "messages": other}
    assert paired(tmp_path, good, poor)["without_pair"] == {"equal_replies": 1}
    longer = {**POOR, "messages": looked("c", "Nowhere at all, I am afraid."), "rollout_index": 2}
    assert paired(tmp_path, good, poor, longer)["pairs"] == 1
    [pair] = read(tmp_path / "pairs.jsonl")
    assert pair["rejected"][-1]["content"] == "Nowhere at all, I am afraid."


@shows("pairs-empty")
@pytest.mark.parametrize("text", ["", " \n", "<think>hm</think>"])
def test_an_empty_side_is_no_pair(tmp_path, text):
    report = paired(tmp_path, GOOD, {**POOR, "messages": [user("Where?"), says(text)]})
    assert report["counts"]["filtered"] == {"empty": 1, "not_paired": 1}
    assert report["without_pair"] == {"failed": 1}


REASONS = {
    "all_pass": ([1, 1], {"no_contrast": 1}),
    "all_fail": ([0, 0], {"no_contrast": 1}),
    "small_margin": ([0.5, 0.6], {"margin": 1}),
    "one_rollout": ([1], {"one_rollout": 1}),
}


@shows("pairs-reasons")
@pytest.mark.parametrize(("rewards", "reasons"), REASONS.values(), ids=REASONS)
def test_a_task_without_a_pair_has_its_reason(tmp_path, rewards, reasons):
    rows = [row(says(f"Here {n}."), reward=reward) for n, reward in enumerate(rewards)]
    report = paired(tmp_path, *rows)
    assert (report["pairs"], report["tasks_seen"], report["without_pair"]) == (0, 1, reasons)


def many(count: int) -> list[dict[str, Any]]:
    return [
        row(says(f"{'Well. ' * (n % 7)}It is number {n}."), reward=n % 5 / 4) for n in range(count)
    ]


@shows("pairs-order", "pairs-unnumbered")
def test_the_order_of_the_rows_does_not_change_the_pairs(tmp_path):
    rows = many(40)
    report = paired(tmp_path, *rows, max_pairs_per_task=10)
    assert report["pairs"] == 8
    first = (tmp_path / "pairs.jsonl").read_bytes()
    for seed in range(3):
        random.Random(seed).shuffle(rows)
        paired(tmp_path, *rows, max_pairs_per_task=10)
        assert (tmp_path / "pairs.jsonl").read_bytes() == first
    assert b"rollout_index" not in first


@shows("pairs-many")
def test_a_group_of_ten_thousand_takes_hardly_longer_a_row_than_one_of_a_thousand():
    took = []
    for count in (1000, 10_000):
        rows = many(count)
        began = time.process_time()
        pairs, report = build_preference_pairs(rows, max_pairs_per_task=count)
        took.append(time.process_time() - began)
        # One row in five is the best and one the worst; each serves once.
        assert report["pairs"] == len(pairs) == count // 5
    assert took[1] < 30 * took[0]


@shows("pairs-equal")
def test_pairs_that_somebody_made_are_dropped_where_their_sides_are_equal(tmp_path):
    from whileai_export import export_preference

    pairs = [
        {"chosen": GOOD, "rejected": POOR},
        {"chosen": GOOD, "rejected": {**GOOD, "reward": 0}},
    ]
    report = export_preference(pairs, tmp_path / "x.jsonl")
    assert (report["pairs"], report["equal_dropped"]) == (1, 1)
    assert json.dumps(report)
