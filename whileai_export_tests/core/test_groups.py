from __future__ import annotations

from whileai_export.core.groups import group_fields

TASK = bytes(range(20))
NAN = float("nan")


def test_a_group_is_counted_over_all_its_rollouts():
    assert group_fields(TASK, [1.0, 0.0, 0.5, 1.0]) == {
        "group_id": "000102030405",
        "k": 4,
        "n0": 1,
        "n1": 2,
        "reward_mean": 0.625,
        "reward_std": 0.4145780988,
    }


def test_an_ungraded_rollout_counts_in_k_alone():
    fields = group_fields(TASK, [1.0, NAN])
    assert (fields["k"], fields["n0"], fields["n1"]) == (2, 0, 1)
    assert (fields["reward_mean"], fields["reward_std"]) == (1.0, 0.0)


def test_a_group_without_any_grade_has_neither_mean_nor_spread():
    fields = group_fields(TASK, [NAN, NAN])
    assert (fields["k"], fields["reward_mean"], fields["reward_std"]) == (2, None, None)


def test_the_order_of_rollouts_changes_no_digit():
    rewards = [0.1, 0.2, 0.3, 0.7]
    assert group_fields(TASK, rewards) == group_fields(TASK, rewards[::-1])
