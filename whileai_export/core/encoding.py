"""How messages and their calls are written: arguments as JSON text or as an object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import orjson

from whileai_export.core.values import json_of
from whileai_export.shared.schema import BadArguments, JsonObject, Message, ToolCall, WireFormat

WireMessage: TypeAlias = dict[str, Any]

#: Formats whose consumers read arguments as JSON text; the others read an object.
TEXT_FORMATS: frozenset[WireFormat] = frozenset({"openai", "fireworks"})


def encode_arguments(arguments: JsonObject | BadArguments, format: WireFormat) -> str | JsonObject:
    """The arguments as the format writes them; what is no object stays the text that came."""
    if isinstance(arguments, BadArguments):
        return arguments.text
    return orjson.dumps(arguments).decode() if format in TEXT_FORMATS else arguments


def wire_messages(
    messages: Sequence[Message], format: WireFormat, texts: Sequence[str] = ()
) -> list[WireMessage]:
    """The messages with their calls as the format spells them.

    ``texts``, if at hand, is the JSON text of every call's arguments in order.
    """
    known = iter(texts) if texts and format in TEXT_FORMATS else _arguments(messages, format)
    return [
        {**m, "tool_calls": list(map(_wire_call, m["tool_calls"], known))}
        if "tool_calls" in m
        else m  # type: ignore[misc]
        for m in messages
    ]


def _arguments(messages: Sequence[Message], format: WireFormat) -> Iterator[str | JsonObject]:
    for message in messages:
        for call in message.get("tool_calls", ()):
            yield encode_arguments(call["arguments"], format)


def _wire_call(call: ToolCall, arguments: str | JsonObject) -> JsonObject:
    function = {"name": call["name"], "arguments": arguments}
    return {"id": call["id"], "type": "function", "function": function}


def problem_on_wire(arguments: object, *, objects: bool) -> str | None:
    """Why exported arguments are not what a format's consumers read, or None."""
    if isinstance(arguments, dict):
        return None
    if objects:
        return f"expected an object, got {_kind(arguments)}"
    if not isinstance(arguments, str):
        return f"expected JSON text of an object, got {_kind(arguments)}"
    try:
        found = json_of(arguments)
    except ValueError:
        return "expected JSON text of an object, got text that is no JSON"
    return None if isinstance(found, dict) else f"expected an object, got {_kind(found)}"


def _kind(value: object) -> str:
    return "null" if value is None else type(value).__name__
