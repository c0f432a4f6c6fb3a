from __future__ import annotations

from array import array

from whileai_export.core.identity import lone_task, row_id, task_key, turn_id
from whileai_export.pipeline.part import Part
from whileai_export.pipeline.tasks import RowIds, TaskIndex

A, B = task_key("a"), task_key("b")
NAN = float("nan")


def part(
    *tasks: bytes | None, rollouts: list | None = None, turns: list[int] | None = None
) -> Part:
    made = Part({})
    made.tasks = list(tasks)
    made.rewards = array("d", [1.0] * len(tasks))
    made.rollouts = rollouts or [None] * len(tasks)
    made.sources = array("I", range(len(tasks)))
    made.turns = array("I", turns or [0] * len(tasks))
    return made


def ids(index: TaskIndex, *parts: Part) -> list[str]:
    known = RowIds("night", index)
    return [found for made in parts for found in known.of(made, index.take(made))]


def test_tasks_are_numbered_as_they_come():
    index = TaskIndex()
    assert list(index.take(part(A, B, A))) == [0, 1, 0]
    assert list(index.take(part(B))) == [1]
    assert index.repeats


def test_a_row_without_a_task_is_a_task_of_its_own_in_every_part():
    index = TaskIndex()
    assert list(index.take(part(None))) == [0]
    assert list(index.take(part(None))) == [1]
    assert index.keys == [task_key(lone_task(0)), task_key(lone_task(1))]
    assert not index.repeats


def test_groups_are_those_of_all_parts():
    index = TaskIndex()
    index.take(part(A, A))
    made = part(A)
    made.rewards = array("d", [NAN])
    index.take(made)
    (group,) = index.groups()
    assert (group["k"], group["n1"], group["reward_mean"]) == (3, 2, 1.0)


def test_a_recorded_rollout_is_in_the_id():
    assert ids(TaskIndex(), part(A, rollouts=[7])) == [row_id("night", A, 7)]


def test_without_one_the_place_among_the_tasks_rows_is_through_all_parts():
    assert ids(TaskIndex(), part(A, B, A), part(A)) == [
        row_id("night", A, 0),
        row_id("night", B, 0),
        row_id("night", A, 1),
        row_id("night", A, 2),
    ]


def test_a_samples_turn_is_in_its_id():
    assert ids(TaskIndex(), part(A, turns=[3])) == [turn_id(row_id("night", A, 0), 3)]
