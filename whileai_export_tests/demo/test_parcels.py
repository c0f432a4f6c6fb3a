from __future__ import annotations

from collections import Counter

from whileai_export.demo.parcels import PARCELS, parcel_desk, reference


def test_it_is_the_same_every_time():
    assert parcel_desk() == parcel_desk()


def test_eight_tasks_are_tried_four_times_each():
    rows = parcel_desk().trajectories
    assert Counter(row["scenario_id"] for row in rows) == {f"parcel-{n:02}": 4 for n in range(8)}


def test_three_replies_quote_the_grader_each_in_another_place():
    rows = parcel_desk().trajectories
    quoting = [
        (number, "final_text" if reference(PARCELS[number // 4]) in row["final_text"] else "steps")
        for number, row in enumerate(rows)
        if reference(PARCELS[number // 4]) in str((row["steps"], row["final_text"]))
    ]
    assert quoting == [(7, "final_text"), (18, "steps"), (27, "steps")]


def test_the_leaking_replies_were_rewarded():
    rows = parcel_desk().trajectories
    assert [rows[number]["reward"] for number in (7, 18, 27)] == [1.0, 1.0, 1.0]


def test_one_task_was_never_graded():
    rewards = [row["reward"] for row in parcel_desk().trajectories]
    assert rewards[28:] == [None] * 4
    assert None not in rewards[:28]
