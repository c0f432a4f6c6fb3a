from __future__ import annotations

from collections import Counter

from whileai_export.demo.workshop import workshop_desk


def test_it_is_the_same_every_time():
    assert workshop_desk() == workshop_desk()


def test_twelve_tasks_are_tried_four_times_each():
    rows = workshop_desk().trajectories
    assert Counter(row["scenario_id"] for row in rows) == {f"workshop-{n:02}": 4 for n in range(12)}


def test_the_rollouts_of_a_task_share_their_ask():
    asks = {
        (row["scenario_id"], row["messages"][0]["content"]) for row in workshop_desk().trajectories
    }
    assert len(asks) == 12


def test_the_grades_are_good_hasty_and_guessed():
    rewards = Counter(row["reward"] for row in workshop_desk().trajectories)
    assert rewards == {1.0: 31, 0.6: 8, 0.0: 9}


def test_it_has_several_turns_tools_and_think_blocks():
    first = workshop_desk().trajectories[0]["messages"]
    assert [message["role"] for message in first] == (
        ["user", "assistant", "tool", "assistant", "user", "assistant", "tool", "assistant"]
    )
    assert first[1]["content"].startswith("<think>")
    assert first[1]["tool_calls"][0]["name"] == "read_ticket"


def test_some_turns_make_two_calls_at_once():
    calls = [
        len(message.get("tool_calls", ()))
        for row in workshop_desk().trajectories
        for message in row["messages"]
    ]
    assert max(calls) == 2


def test_every_row_carries_a_privileged_block():
    assert all(row["privileged"]["reference"] for row in workshop_desk().trajectories)
