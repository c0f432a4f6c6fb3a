"""The calls of an assistant turn: OpenAI's wire form, flat, or the older ``function_call``."""

from __future__ import annotations

from whileai_export.core.aliases import ARGUMENT_ALIASES, read_under
from whileai_export.core.arguments import read_arguments
from whileai_export.core.repairs import added
from whileai_export.core.values import kind_of, placed
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import NO_REPAIRS, JsonObject, Repairs, ToolCall


def read_calls(values: object) -> tuple[list[ToolCall], Repairs]:
    """The calls in their order; one without an id has the id ``""`` until it is linked."""
    if type(values) is not list:
        raise BadRow(f"expected a list of calls, got {kind_of(values)}", ".tool_calls")
    calls: list[ToolCall] = []
    repairs = NO_REPAIRS
    for number, value in enumerate(values):
        try:
            call, found = read_call(value)
        except BadRow as bad:
            raise placed(bad, f".tool_calls[{number}]") from None
        calls.append(call)
        if found:
            repairs = added(repairs, found)
    return calls, repairs


def read_call(value: object) -> tuple[ToolCall, Repairs]:
    """One call, whose name and arguments may stand under ``function``."""
    if type(value) is not dict:
        raise BadRow(f"expected a call, got {kind_of(value)}")
    source = value.get("function")
    if source is None:
        source = value
    elif type(source) is not dict:
        raise BadRow(f"expected an object, got {kind_of(source)}", ".function")
    name = source.get("name")
    if type(name) is not str or not name:
        raise BadRow(f"expected the name of a tool, got {_got(name)}", ".name")
    repairs = NO_REPAIRS
    given = source.get("arguments")
    if given is None:
        given, repairs = read_under("arguments", ARGUMENT_ALIASES, source)
    arguments, found = read_arguments(given)
    if found:
        repairs = added(repairs, found)
    id = value.get("id")
    return {
        "id": id if type(id) is str else recorded_id(id, ".id"),
        "name": name,
        "arguments": arguments,
    }, repairs


def read_function_call(value: JsonObject) -> tuple[ToolCall, Repairs]:
    """The one call of a turn in the older form, which has no id."""
    try:
        return read_call(value)
    except BadRow as bad:
        raise placed(bad, ".function_call") from None


def recorded_id(value: object, at: str) -> str:
    """An id as text; empty where none was recorded."""
    if type(value) is str:
        return value
    if type(value) is int:
        return str(value)
    if value is None:
        return ""
    raise BadRow(f"expected an id, got {kind_of(value)}", at)


def _got(name: object) -> str:
    return "empty text" if name == "" else kind_of(name)
