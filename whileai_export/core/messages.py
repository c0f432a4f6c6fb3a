"""Rows of the shape ``messages``: one turn after another, in any of the chat formats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from whileai_export.core.anthropic import answered_in_blocks, has_blocks
from whileai_export.core.assistant import read_assistant
from whileai_export.core.calls import recorded_id
from whileai_export.core.content import output_text, text_of
from whileai_export.core.repairs import added
from whileai_export.core.turn_keys import KEYS, keys_dropped
from whileai_export.core.values import kind_of, placed, shown
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import NO_REPAIRS, JsonObject, Message, Repairs, Role

_ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "model": "assistant",
    "tool": "tool",
    "function": "tool",
}
_MAPPED: Repairs = {"roles_mapped": 1}


def read_messages(values: object) -> tuple[list[Message], Repairs]:
    """The turns as they were recorded, calls and results not yet linked."""
    if type(values) is not list:
        raise BadRow(f"expected a list of messages, got {kind_of(values)}", "$.messages")
    messages: list[Message] = []
    repairs = NO_REPAIRS
    for place, value in enumerate(values):
        role = value.get("role") if type(value) is dict else None
        read = _READERS.get(role, read_message) if type(role) is str else read_message
        try:
            turns, found = read(value)
        except BadRow as bad:
            raise placed(bad, f"$.messages[{place}]") from None
        messages += turns
        if found:
            repairs = added(repairs, found)
    return messages, repairs


def read_message(value: Any) -> tuple[list[Message], Repairs]:
    """One recorded message, by whatever name its role goes; Anthropic's blocks may hold several."""
    if type(value) is not dict:
        raise BadRow(f"expected a message, got {kind_of(value)}")
    role, repairs = _role_of(value.get("role"))
    turns, found = _READERS[role](value)
    return turns, added(repairs, found)


def _role_of(value: object) -> tuple[Role, Repairs]:
    if type(value) is not str:
        raise BadRow(f"expected a role, got {kind_of(value)}", ".role")
    role = _ROLES.get(value.lower())
    if role is None:
        raise BadRow(f"expected the role of a chat turn, got {shown(value)}", ".role")
    return role, NO_REPAIRS if role == value else _MAPPED


def _read_system(value: JsonObject) -> tuple[list[Message], Repairs]:
    text, repairs = text_of(value.get("content"), ".content")
    return [{"role": "system", "content": text}], added(repairs, keys_dropped(value, "system"))


def _read_user(value: JsonObject) -> tuple[list[Message], Repairs]:
    content = value.get("content")
    if type(content) is str and len(value) == len(KEYS["user"]):
        return [{"role": "user", "content": content}], NO_REPAIRS
    dropped = keys_dropped(value, "user")
    if type(content) is list and has_blocks(content):
        turns, repairs = answered_in_blocks(content)
        return turns, added(repairs, dropped)
    text, repairs = text_of(content, ".content")
    return [{"role": "user", "content": text}], added(repairs, dropped)


def _read_result(value: JsonObject) -> tuple[list[Message], Repairs]:
    content = value.get("content")
    repairs = NO_REPAIRS
    if type(content) is not str:
        if type(content) is list and has_blocks(content):
            return answered_in_blocks(content)
        content, repairs = output_text(content, ".content")
    turn: Message = {"role": "tool", "content": content}
    name, id = value.get("name"), value.get("tool_call_id")
    if name:
        turn["name"] = name if type(name) is str else _refuse_name(name)
    if id:
        turn["tool_call_id"] = id if type(id) is str else recorded_id(id, ".tool_call_id")
    if not KEYS["tool"].issuperset(value):
        repairs = added(repairs, keys_dropped(value, "tool"))
    return [turn], repairs


def _refuse_name(name: object) -> str:
    raise BadRow(f"expected the name of a tool, got {kind_of(name)}", ".name")


_READERS: dict[str, Callable[[JsonObject], tuple[list[Message], Repairs]]] = {
    "system": _read_system,
    "user": _read_user,
    "assistant": read_assistant,
    "tool": _read_result,
}
