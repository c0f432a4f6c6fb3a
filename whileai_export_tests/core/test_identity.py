from __future__ import annotations

import hashlib

import pytest

from whileai_export.core.identity import (
    conversation_key,
    conversation_keys,
    first_assistant,
    lone_task,
    pair_id,
    row_id,
    same_turn,
    same_turns,
    task_key,
    turn_id,
)
from whileai_export.shared.schema import BadArguments
from whileai_export_tests.core.turns import assistant, user


def call(id: str, arguments: object) -> dict:
    return {"id": id, "name": "note", "arguments": arguments}


def test_a_tasks_key_is_its_sha1():
    assert task_key("sc-1") == hashlib.sha1(b"sc-1").digest()


def test_a_task_with_half_a_character_has_a_key():
    assert task_key("\ud800") == hashlib.sha1(b"?").digest()


def test_rows_that_name_no_task_are_tasks_of_their_own():
    assert task_key(lone_task(1)) != task_key(lone_task(2))


def test_a_rows_id_hashes_simulation_task_and_rollout():
    task = task_key("sc-1")
    text = f"night-7\0{task.hex()}\0003"
    assert row_id("night-7", task, 3) == hashlib.sha256(text.encode()).hexdigest()[:16]


def test_ids_of_samples_and_pairs_are_made_of_row_ids():
    assert turn_id("r", 1) == hashlib.sha256(b"r\x001").hexdigest()[:16]
    assert pair_id("r", "s") == hashlib.sha256(b"r\0s").hexdigest()[:16]
    assert pair_id("r", "s") != pair_id("s", "r")


def test_two_conversations_are_the_same_whatever_their_call_ids_are():
    one, other = ([assistant(tool_calls=[call(id, {"a": 1, "b": 2})])] for id in "xy")
    assert conversation_key(one) == conversation_key(other)
    assert same_turns(one, other)


def test_the_order_of_arguments_says_nothing():
    one = assistant(tool_calls=[call("x", {"a": 1, "b": 2})])
    other = assistant(tool_calls=[call("x", {"b": 2, "a": 1})])
    assert conversation_key([one]) == conversation_key([other])
    assert same_turn(one, other)


def test_outer_white_space_says_nothing():
    assert conversation_key([user(" a\n")]) == conversation_key([user("a")])
    assert same_turn(user(" a\n"), user("a"))


def test_who_says_it_makes_a_difference():
    assert conversation_key([user("a")]) != conversation_key([assistant("a")])
    assert not same_turn(user("a"), assistant("a"))


@pytest.mark.parametrize(
    "other",
    [
        assistant("a", tool_calls=[call("x", {"b": 2})]),
        assistant("a", tool_calls=[{**call("x", {"b": 1}), "name": "file"}]),
        assistant("a", tool_calls=[call("x", {"b": 1}), call("y", {"b": 1})]),
        assistant("a", tool_calls=[call("x", BadArguments('{"b": 1', "cut"))]),
        assistant("a", tool_calls=[call("x", {"b": 1})], reasoning_content="Hm."),
        assistant("a", tool_calls=[call("x", {"b": 1})], name="bot"),
        assistant("a"),
    ],
)
def test_what_was_called_and_thought_makes_a_difference(other):
    one = assistant("a", tool_calls=[call("x", {"b": 1})])
    assert conversation_key([one]) != conversation_key([other])
    assert not same_turn(one, other)


def test_one_turn_that_differs_makes_a_difference():
    assert same_turns([user("a"), assistant("b")], [user("a"), assistant("b ")])
    assert not same_turns([user("a"), assistant("b")], [user("a"), assistant("c")])


def test_fewer_turns_are_not_the_same():
    assert not same_turns([user("a")], [user("a"), user("b")])


def test_the_first_assistant_turn_is_found():
    assert first_assistant([user("a"), assistant("b")]) == 1
    assert first_assistant([user("a")]) == 1


@pytest.mark.parametrize("split", range(4))
def test_the_key_of_a_conversation_does_not_depend_on_where_it_is_split(split):
    turns = [user("a"), assistant("b"), user("c")]
    keys = conversation_keys(turns, split)
    assert keys.whole == conversation_key(turns)
    assert keys.reply == conversation_key(turns[split:])


def test_conversations_with_one_ask_share_its_key_and_no_other():
    one, other = ([user("a"), assistant(reply)] for reply in "bc")
    assert conversation_keys(one, 1).ask == conversation_keys(other, 1).ask
    assert conversation_keys(one, 1).reply != conversation_keys(other, 1).reply
    assert conversation_keys([user("z"), *one[1:]], 1).reply == conversation_keys(one, 1).reply
