"""What makes two things the same: tasks, rows, conversations, asks.

A conversation's key leaves tool-call ids out: they are drawn anew in every rollout and say
nothing about what the agent did.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import orjson

from whileai_export.shared.schema import Message


@lru_cache(maxsize=1024)
def task_key(task: str) -> bytes:
    """The sha1 of a task; ``group_id`` is its first 12 hex digits."""
    return hashlib.sha1(task.encode("utf-8", "replace"), usedforsecurity=False).digest()


def lone_task(row: int) -> str:
    """The task of a row that names none: a task of its own."""
    return f"row {row}"


def row_id(simulation: str, task: bytes, rollout: object) -> str:
    """16 hex digits of the sha256 over simulation, task and rollout."""
    text = f"{simulation}\0{task.hex()}\0{rollout}"
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def turn_id(row: str, turn: int) -> str:
    """The id of an unrolled sample: its row's and its turn's."""
    return hashlib.sha256(f"{row}\0{turn}".encode()).hexdigest()[:16]


def pair_id(chosen: str, rejected: str) -> str:
    """The id of a preference pair: both sides'."""
    return hashlib.sha256(f"{chosen}\0{rejected}".encode()).hexdigest()[:16]


def conversation_key(messages: Sequence[Message]) -> bytes:
    """The sha256 of what was said and done, tool-call ids aside."""
    return hashlib.sha256(_canonical(messages)).digest()


class Keys(NamedTuple):
    """The keys of a conversation and of its two parts."""

    whole: bytes
    ask: bytes
    """Of what comes before the first assistant turn."""
    reply: bytes
    """Of everything after that."""


def conversation_keys(messages: Sequence[Message], split: int) -> Keys:
    """The keys of a conversation whose reply begins at ``split``; ``whole`` as by itself."""
    ask, reply = _canonical(messages[:split]), _canonical(messages[split:])
    digest = hashlib.sha256(ask[:-1])
    ask_key = digest.digest()
    digest.update(b"," * (0 < split < len(messages)) + reply[1:])
    return Keys(digest.digest(), ask_key, hashlib.sha256(reply).digest())


def _canonical(messages: Sequence[Message]) -> bytes:
    turns = list(map(_said_and_done, messages))
    return orjson.dumps(turns, default=list, option=orjson.OPT_SORT_KEYS)


def first_assistant(messages: Sequence[Message]) -> int:
    """Where the first assistant turn stands; the number of messages when there is none."""
    for place, message in enumerate(messages):
        if message["role"] == "assistant":
            return place
    return len(messages)


def same_turns(some: Sequence[Message], others: Sequence[Message]) -> bool:
    """As many turns on either side, each the same as its counterpart."""
    return len(some) == len(others) and all(map(same_turn, some, others))


def same_turn(one: Message, other: Message) -> bool:
    """Equal but for tool-call ids and outer white space."""
    return _said_and_done(one) == _said_and_done(other)


def _said_and_done(message: Message) -> tuple[object, ...]:
    return (
        message["role"],
        message["content"].strip(),
        message.get("reasoning_content"),
        message.get("name"),
        [(call["name"], call["arguments"]) for call in message["tool_calls"]]
        if "tool_calls" in message
        else [],
    )
