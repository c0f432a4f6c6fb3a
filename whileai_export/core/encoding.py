"""How a call's arguments are written: as JSON text or as an object."""

from __future__ import annotations

import orjson

from whileai_export.core.values import json_of
from whileai_export.shared.schema import BadArguments, JsonObject, WireFormat

#: Formats whose consumers read arguments as JSON text; the others read an object.
TEXT_FORMATS: frozenset[WireFormat] = frozenset({"openai", "fireworks"})


def encode_arguments(
    arguments: JsonObject | BadArguments, format: WireFormat
) -> str | JsonObject:
    """The arguments as the format writes them; what is no object stays the text that came."""
    if isinstance(arguments, BadArguments):
        return arguments.text
    return orjson.dumps(arguments).decode() if format in TEXT_FORMATS else arguments


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
