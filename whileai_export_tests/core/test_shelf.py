from __future__ import annotations

import random
import time

import pytest

from whileai_export.core.candidate import Candidate, rank
from whileai_export.core.shelf import ByLength, ByReward


def rollout(place: int, reward: float, length: int, reply: str = "") -> Candidate:
    name = (reply or f"r{place}").encode()
    return Candidate(place, b"ask", reward, place, name, name, length)


def places(*candidates: Candidate | None) -> list[int | None]:
    return [None if c is None else c.place for c in candidates]


BEST = rollout(0, 1.0, 50)


def test_the_nearest_in_length_is_picked():
    shelf = ByLength([BEST, rollout(1, 0.0, 10), rollout(2, 0.0, 45), rollout(3, 0.0, 70)])
    shelf.leave(BEST)
    assert places(shelf.pick(BEST)) == [2]


def test_of_two_equally_near_ones_the_better_is_picked():
    shelf = ByLength([BEST, rollout(1, 0.2, 60), rollout(2, 0.0, 40)])
    assert places(shelf.pick(BEST)) == [1]


def test_an_equal_reply_is_passed_over():
    shelf = ByLength([BEST, rollout(1, 0.0, 50, reply="r0"), rollout(2, 0.0, 90)])
    assert places(shelf.pick(BEST)) == [2]


@pytest.mark.parametrize("kind", [ByLength, ByReward])
def test_an_equal_reply_of_another_length_is_passed_over(kind):
    equal = [rollout(n, 0.0, length, reply="r0") for n, length in ((1, 49), (2, 51), (3, 52))]
    far, farther = rollout(4, 0.0, 10), rollout(5, 0.0, 99)
    shelf = kind([BEST, *equal, far, farther])
    shelf.take(equal[1])
    assert places(shelf.pick(BEST)) == [4 if kind is ByLength else 5]
    shelf.leave(far)
    assert places(shelf.pick(BEST)) == [5]
    shelf.leave(farther)
    assert places(shelf.pick(BEST)) == [None]


def test_a_row_is_picked_until_it_is_taken():
    near, far = rollout(1, 0.0, 51), rollout(2, 0.0, 90)
    shelf = ByLength([BEST, near, far])
    shelf.take(near)
    assert places(shelf.pick(BEST)) == [2]
    assert shelf.serves(near)
    assert not shelf.serves(far)
    assert shelf.eligible == 2


def test_leaving_twice_counts_once():
    shelf = ByLength([BEST])
    shelf.leave(BEST)
    shelf.leave(BEST)
    assert shelf.eligible == 0


def test_an_empty_shelf_has_nothing_to_pick():
    for kind in (ByLength, ByReward):
        shelf = kind([BEST])
        shelf.leave(BEST)
        assert shelf.pick(BEST) is None


def test_the_lowest_reward_is_picked_where_length_does_not_matter():
    shelf = ByReward([BEST, rollout(1, 0.4, 50), rollout(2, 0.1, 900)])
    assert places(shelf.pick(BEST)) == [2]


def test_the_lowest_with_another_reply_is_picked():
    same = rollout(2, 0.0, 50, reply="r0")
    shelf = ByReward([BEST, rollout(1, 0.4, 50), same])
    assert places(shelf.pick(BEST)) == [1]
    assert places(shelf.pick(rollout(9, 1.0, 5))) == [2]


@pytest.mark.parametrize("kind", [ByLength, ByReward])
def test_picks_are_those_of_a_plain_search(kind):
    chance = random.Random(7)
    rows = [
        rollout(n, chance.randint(0, 4) / 4, chance.randint(0, 9), chance.choice("abcdef"))
        for n in range(60)
    ]
    ranked = sorted(rows, key=rank)
    shelf, present = kind(ranked), list(ranked)
    while present:
        chosen = chance.choice(ranked)
        others = [c for c in present if c.reply != chosen.reply]
        if kind is ByReward:
            wanted = max(others, key=rank, default=None)
        else:
            wanted = min(
                others, key=lambda c: (abs(c.length - chosen.length), rank(c)), default=None
            )
        picked = shelf.pick(chosen)
        if kind is ByLength and wanted is not None:
            assert abs(picked.length - chosen.length) == abs(wanted.length - chosen.length)
        else:
            assert picked == wanted
        gone = picked or present[0]
        shelf.leave(gone)
        present.remove(gone)


@pytest.mark.parametrize("kind", [ByLength, ByReward])
def test_ten_thousand_rows_are_picked_in_a_moment(kind):
    rows = sorted((rollout(n, (n % 7) / 7, n % 97, f"{n % 5}") for n in range(10_000)), key=rank)
    shelf = kind(rows)
    began = time.process_time()
    for chosen in rows[:5000]:
        picked = shelf.pick(chosen)
        if picked is not None:
            shelf.take(picked)
    assert time.process_time() - began < 2
