from __future__ import annotations

import random
import time

import pytest

from whileai_export.core.candidate import Candidate
from whileai_export.core.pairing import Rules, nothing_to_pair, pair_task

ONE = Rules(min_margin=1.0, max_pairs=1, length_match=True)
MANY = Rules(min_margin=0.3, max_pairs=9, length_match=True)
HALF = MANY._replace(min_reward=0.5)


def rollout(place: int, reward: float, length: int = 10, **more: object) -> Candidate:
    name = f"{place}".encode()
    return Candidate(
        place=place,
        ask=more.get("ask", b"ask"),
        reward=reward,
        rollout_index=more.get("index", place),
        key=more.get("key", name),
        reply=more.get("reply", name),
        length=length,
    )


def pairs(rows: list[Candidate], rules: Rules = ONE) -> list[tuple[int, int]]:
    return [(chosen.place, rejected.place) for chosen, rejected in pair_task(rows, rules).pairs]


def reason(rows: list[Candidate], rules: Rules = ONE) -> str | None:
    return pair_task(rows, rules).reason


def test_the_best_stands_against_the_one_nearest_in_length():
    rows = [rollout(0, 0.0, 90), rollout(1, 1.0, 50), rollout(2, 0.0, 40)]
    assert pairs(rows) == [(1, 2)]


def test_of_equal_rewards_the_first_recorded_rollout_is_chosen():
    rows = [rollout(0, 1.0, index=5), rollout(1, 1.0, index=2), rollout(2, 0.0)]
    assert pairs(rows) == [(1, 2)]


def test_a_rollout_without_a_number_comes_after_those_that_have_one():
    rows = [rollout(0, 1.0, index=None, key=b"a"), rollout(1, 1.0, index=9), rollout(2, 0.0)]
    assert pairs(rows) == [(1, 2)]


def test_without_numbers_the_conversation_breaks_the_tie():
    rows = [
        rollout(0, 1.0, index=None, key=b"b"),
        rollout(1, 1.0, index=None, key=b"a"),
        rollout(2, 0.0),
    ]
    assert pairs(rows) == [(1, 2)]


def test_a_row_serves_once():
    rows = [rollout(0, 1.0), rollout(1, 0.9), rollout(2, 0.1), rollout(3, 0.0)]
    assert pairs(rows, MANY) == [(0, 2), (1, 3)]


@pytest.mark.parametrize("length_match", [True, False])
def test_a_rejected_row_is_not_chosen_too(length_match):
    rows = [rollout(0, 1.0, 10), rollout(1, 0.5, 10, reply=b"r"), rollout(2, 0.0, 99, reply=b"0")]
    assert pairs(rows, MANY._replace(length_match=length_match)) == [(0, 1)]


def test_no_more_pairs_than_asked_for():
    rows = [rollout(0, 1.0), rollout(1, 0.9), rollout(2, 0.1), rollout(3, 0.0)]
    assert pairs(rows, MANY._replace(max_pairs=1)) == [(0, 2)]


def test_a_margin_that_is_short_by_less_than_a_billionth_is_reached():
    assert pairs([rollout(0, 0.3), rollout(1, 0.3 - 0.1)], MANY._replace(min_margin=0.1)) == [
        (0, 1)
    ]


def test_a_margin_of_nothing_still_wants_a_better_side():
    rules = MANY._replace(min_margin=0.0)
    assert pairs([rollout(0, 0.5), rollout(1, 0.5)], rules) == []


def test_an_equal_reply_is_skipped_for_the_next():
    rows = [rollout(0, 1.0), rollout(1, 0.0, 10, reply=b"0"), rollout(2, 0.0, 900)]
    assert pairs(rows) == [(0, 2)]


def test_without_length_matching_the_worst_is_rejected():
    rows = [rollout(0, 1.0, 10), rollout(1, 0.4, 10), rollout(2, 0.0, 900)]
    assert pairs(rows, MANY._replace(length_match=False)) == [(0, 2)]


def test_a_chosen_side_reaches_the_least_reward():
    rows = [rollout(0, 0.9), rollout(1, 0.8), rollout(2, 0.2), rollout(3, 0.1)]
    assert pairs(rows, MANY._replace(min_reward=0.85)) == [(0, 2)]
    assert pairs(rows, MANY._replace(min_reward=0.8)) == [(0, 2), (1, 3)]
    assert pairs(rows, MANY._replace(min_reward=0.9 + 1e-10)) == [(0, 2)]


def test_different_asks_make_no_pair():
    rows = [rollout(0, 1.0, ask=b"a"), rollout(1, 0.0, ask=b"b")]
    assert pairs(rows) == []


@pytest.mark.parametrize(
    ("rows", "rules", "why"),
    [
        ([rollout(0, 1.0), rollout(1, 1.0)], ONE, "no_contrast"),
        ([rollout(0, 1.0), rollout(1, 0.5)], ONE, "margin"),
        ([rollout(0, 0.4), rollout(1, 0.0)], HALF, "min_reward"),
        ([rollout(0, 1.0, ask=b"a"), rollout(1, 0.0, ask=b"b")], ONE, "different_ask"),
        ([rollout(0, 1.0, reply=b"r"), rollout(1, 0.0, reply=b"r")], ONE, "equal_replies"),
        ([rollout(0, 1.0), rollout(1, 0.0)], ONE, None),
        ([rollout(0, 0.5, ask=b"a"), rollout(1, 0.0)], HALF, "different_ask"),
        ([rollout(0, 0.5, reply=b"r"), rollout(1, 0.0, reply=b"r")], HALF, "equal_replies"),
        ([rollout(0, 0.5 - 1e-10, ask=b"a"), rollout(1, 0.0)], HALF, "different_ask"),
    ],
)
def test_a_task_without_a_pair_has_a_reason(rows, rules, why):
    assert reason(rows, rules) == why


@pytest.mark.parametrize(
    ("rollouts", "graded", "candidates", "why"),
    [
        (1, 1, 1, "one_rollout"),
        (1, 0, 0, "one_rollout"),
        (3, 1, 1, "ungraded"),
        (3, 3, 1, "failed"),
        (3, 3, 2, None),
    ],
)
def test_a_task_that_cannot_be_paired_at_all_has_a_reason_too(rollouts, graded, candidates, why):
    assert nothing_to_pair(rollouts, graded, candidates) == why


def test_contrast_is_a_difference_in_reward():
    assert pair_task([rollout(0, 1.0), rollout(1, 0.9)], ONE).contrast
    assert not pair_task([rollout(0, 1.0), rollout(1, 1.0)], ONE).contrast


def test_the_order_of_the_rows_does_not_matter():
    chance = random.Random(3)
    rows = [rollout(n, (n % 4) / 4, n % 11, reply=b"%d" % (n % 6)) for n in range(40)]
    wanted = pairs(rows, MANY)
    assert len(wanted) == 9
    for _ in range(20):
        chance.shuffle(rows)
        assert pairs(rows, MANY) == wanted


@pytest.mark.parametrize("length_match", [True, False])
def test_ten_thousand_rollouts_of_one_task_are_paired_in_seconds(length_match):
    rows = [rollout(n, (n % 7) / 7, n % 97, reply=b"%d" % (n % 5)) for n in range(10_000)]
    rules = Rules(min_margin=0.1, max_pairs=10_000, length_match=length_match)
    began = time.process_time()
    assert len(pairs(rows, rules)) > 3000
    assert time.process_time() - began < 4
