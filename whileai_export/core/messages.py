"""Rows of the shape ``messages``: one turn after another, in any of the chat formats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from whileai_export.core.anthropic import answered_in_blocks, has_blocks, said_in_blocks
from whileai_export.core.calls import read_calls, read_function_call, recorded_id
from whileai_export.core.content import output_text, text_of
from whileai_export.core.repairs import added, total
from whileai_export.core.values import kind_of, placed, shown
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import NO_REPAIRS, JsonObject, Message, Repairs, Role, ToolCall

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
_KEYS: dict[Role, frozenset[str]] = {
    "system": frozenset({"role", "content"}),
    "user": frozenset({"role", "content"}),
    "assistant": frozenset({"role", "content", "reasoning_content", "tool_calls", "function_call"}),
    "tool": frozenset({"role", "content", "name", "tool_call_id"}),
}
#: The keys of an assistant turn without anything unusual.
_PLAIN = frozenset({"role", "content", "tool_calls"})
_CONVERTED: Repairs = {"function_call_converted": 1}
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
    role = _ROLES.get(value)
    if role == value:
        return role, NO_REPAIRS
    role = role or _ROLES.get(value.lower())
    if role is None:
        raise BadRow(f"expected the role of a chat turn, got {shown(value)}", ".role")
    return role, _MAPPED


def _dropped(value: JsonObject, role: Role) -> Repairs:
    """What is left out of a message: every key that has a value and no place in a turn."""
    left_out = [key for key in value if key not in _KEYS[role] and value[key] is not None]
    if not left_out:
        return NO_REPAIRS
    if role == "assistant" and "weight" in left_out:
        raise BadRow("expected a trajectory, got a row of format fireworks", ".weight")
    if "tool_calls" in left_out and value["tool_calls"]:
        raise BadRow(f"expected calls in an assistant turn, got them in a {role} turn")
    return {"message_keys_dropped": len(left_out)}


def _assistant(value: JsonObject) -> tuple[list[Message], Repairs]:
    repairs = NO_REPAIRS
    calls: list[ToolCall] | None = None
    content = value.get("content")
    recorded = value.get("tool_calls")
    if recorded is not None:
        calls, repairs = read_calls(recorded)
    if type(content) is str and _PLAIN.issuperset(value):
        turn: Message = {"role": "assistant", "content": content}
        if calls:
            turn["tool_calls"] = calls
        return [turn], repairs
    turn, found = _assistant_in_full(value, content, calls or [])
    return [turn], added(repairs, found)


def _assistant_in_full(
    value: JsonObject, content: object, calls: list[ToolCall]
) -> tuple[Message, Repairs]:
    repairs = _dropped(value, "assistant")
    if value.get("function_call") is not None:
        call, found = read_function_call(value["function_call"])
        calls, repairs = [*calls, call], total(repairs, found, _CONVERTED)
    reasoning = value.get("reasoning_content")
    text = ""
    if type(content) is list and has_blocks(content):
        said = said_in_blocks(content)
        calls = _without_repeats(said.calls, calls)
        text, reasoning = said.text, reasoning or said.reasoning
        repairs = added(repairs, said.repairs)
    elif content is not None or not calls:
        text, found = _text(content)
        repairs = added(repairs, found)
    turn: Message = {"role": "assistant", "content": text}
    if reasoning:
        turn["reasoning_content"] = _reasoning(reasoning)
    if calls:
        turn["tool_calls"] = calls
    return turn, repairs


def _without_repeats(calls: list[ToolCall], others: list[ToolCall]) -> list[ToolCall]:
    """Both lists; some recorders write the calls of the blocks a second time beside them."""
    known = {call["id"] for call in calls}
    return [*calls, *(call for call in others if call["id"] not in known)]


def _reasoning(value: object) -> str:
    try:
        return text_of(value)[0]
    except BadRow as bad:
        raise placed(bad, ".reasoning_content") from None


def _told(value: JsonObject, role: Role) -> tuple[list[Message], Repairs]:
    """A turn of the user or the system; the user's may hold results in blocks."""
    content = value.get("content")
    if type(content) is str and len(value) == len(_KEYS[role]):
        return [{"role": role, "content": content}], NO_REPAIRS
    repairs = _dropped(value, role)
    if role == "user" and type(content) is list and has_blocks(content):
        turns, found = answered_in_blocks(content)
    else:
        text, found = _text(content)
        turns = [{"role": role, "content": text}]
    return turns, added(repairs, found)


def _user(value: JsonObject) -> tuple[list[Message], Repairs]:
    return _told(value, "user")


def _system(value: JsonObject) -> tuple[list[Message], Repairs]:
    return _told(value, "system")


def _result(value: JsonObject) -> tuple[list[Message], Repairs]:
    content = value.get("content")
    repairs = NO_REPAIRS
    if type(content) is list and has_blocks(content):
        return answered_in_blocks(content)
    if type(content) is not str:
        try:
            content, repairs = output_text(content)
        except BadRow as bad:
            raise placed(bad, ".content") from None
    turn: Message = {"role": "tool", "content": content}
    name, id = value.get("name"), value.get("tool_call_id")
    if type(name) is str and name:
        turn["name"] = name
    elif name:
        raise BadRow(f"expected the name of a tool, got {kind_of(name)}", ".name")
    if type(id) is str and id:
        turn["tool_call_id"] = id
    elif id:
        turn["tool_call_id"] = recorded_id(id, ".tool_call_id") or ""
    if not _KEYS["tool"].issuperset(value):
        repairs = added(repairs, _dropped(value, "tool"))
    return [turn], repairs


def _text(content: object) -> tuple[str, Repairs]:
    try:
        return text_of(content)
    except BadRow as bad:
        raise placed(bad, ".content") from None


_READERS: dict[str, Callable[[JsonObject], tuple[list[Message], Repairs]]] = {
    "system": _system,
    "user": _user,
    "assistant": _assistant,
    "tool": _result,
}
