"""What a conversation stands on: its system prompt and its tools, from the first that has them."""

from __future__ import annotations

from typing import Any

import orjson

from whileai_export.core.carry import scrubbed
from whileai_export.core.prompt_sha import prompt_of
from whileai_export.core.repairs import added
from whileai_export.core.responses import is_responses
from whileai_export.core.values import json_of, kind_of, settle
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import (
    NO_REPAIRS,
    JsonObject,
    Message,
    Repairs,
    Surroundings,
)

_NOTHING_PRIVATE: frozenset[str] = frozenset()


def with_system(
    messages: list[Message], row: JsonObject, around: Surroundings
) -> tuple[list[Message], str | None, Repairs]:
    """The conversation under its system prompt, where that came from, and what it replaced.

    The caller's prompt takes the place of the row's own at the start. The very text of the
    surroundings is used, so that a writer can know it again.
    """
    prompt = around.system_prompt
    if prompt:
        if not messages or messages[0]["role"] != "system":
            return [{"role": "system", "content": prompt}, *messages], "argument", NO_REPAIRS
        return _replaced(messages, prompt)
    for message in messages:
        if message["role"] == "system":
            return messages, "row", NO_REPAIRS
    own = row.get("system_prompt")
    if own:
        if type(own) is not str:
            raise BadRow(f"expected text, got {kind_of(own)}", "$.system_prompt")
        return [{"role": "system", "content": own}, *messages], "row", NO_REPAIRS
    named = around.source_prompts
    prompt = prompt_of(row.get("lineage"), named) if named else None
    prompt = prompt or around.source_prompt
    if not prompt:
        return messages, None, NO_REPAIRS
    return [{"role": "system", "content": prompt}, *messages], around.prompt_from, NO_REPAIRS


def tools_of(
    row: JsonObject, around: Surroundings
) -> tuple[list[JsonObject] | None, str | None, Repairs]:
    """The tool schemas of a row, where they came from, and what had to be changed in them."""
    if around.tools:
        return around.tools, "argument", NO_REPAIRS
    tools, repairs = _tools_of_row(row)
    if tools:
        return tools, "row", repairs
    if around.source_tools:
        return around.source_tools, around.tools_from, repairs
    return None, None, repairs


def _tools_of_row(row: JsonObject) -> tuple[list[JsonObject] | None, Repairs]:
    own = row.get("tools")
    if own:
        return settled_tools(own, "$.tools")
    if not is_responses(row):
        return None, NO_REPAIRS
    own = row["responses_create_params"].get("tools")
    if not own:
        return None, NO_REPAIRS
    tools, repairs = settled_tools(own, "$.responses_create_params.tools")
    # Every tool of a request is declared in the other form, so that is nothing to mend.
    return tools, {kind: n for kind, n in repairs.items() if kind != "tools_converted"}


def _replaced(messages: list[Message], prompt: str) -> tuple[list[Message], str, Repairs]:
    start = next((n for n, m in enumerate(messages) if m["role"] != "system"), len(messages))
    others = sum(message["content"] != prompt for message in messages[:start])
    repairs = {"system_replaced": others} if others else NO_REPAIRS
    return [{"role": "system", "content": prompt}, *messages[start:]], "argument", repairs


def settled_tools(own: Any, at: str) -> tuple[list[JsonObject], Repairs]:
    """Tool schemas as chat completions declare them, and what had to be changed."""
    repairs = NO_REPAIRS
    if type(own) is str:
        try:
            own, repairs = settle(json_of(own))
        except ValueError as error:
            raise BadRow(str(error), at) from None
    if type(own) is not list:
        raise BadRow(f"expected a list of tools, got {kind_of(own)}", at)
    if not all(type(tool) is dict and type(tool.get("function")) is dict for tool in own):
        own, found = _converted(own, at)
        repairs = added(repairs, found)
    if _needs_scrub(own):
        own, found = scrubbed(own, _NOTHING_PRIVATE)
        repairs = added(repairs, found)
    return own, repairs


def _converted(own: list[Any], at: str) -> tuple[list[JsonObject], Repairs]:
    """The tools as chat completions declare them; one that is no function has no such form."""
    tools: list[JsonObject] = []
    converted = 0
    for n, tool in enumerate(own):
        if type(tool) is not dict:
            raise BadRow(f"expected a tool, got {kind_of(tool)}", f"{at}[{n}]")
        if type(tool.get("function")) is dict:
            tools.append(tool)
        elif type(tool.get("name")) is str and _is_function(tool):
            tools.append({"type": "function", "function": _function(tool)})
            converted += 1
    counts = {"tools_converted": converted, "tools_left_out": len(own) - len(tools)}
    return tools, {kind: count for kind, count in counts.items() if count}


def _is_function(tool: JsonObject) -> bool:
    return "input_schema" in tool or tool.get("type") in ("function", None)


def _function(tool: JsonObject) -> JsonObject:
    parameters = tool.get("parameters")
    function = {
        "name": tool["name"],
        "description": tool.get("description"),
        "parameters": tool.get("input_schema") if parameters is None else parameters,
        "strict": tool.get("strict"),
    }
    return {key: value for key, value in function.items() if value is not None}


def _needs_scrub(tools: list[JsonObject]) -> bool:
    """Whether a NaN or a long integer may stand in the tools; a null may be one of them."""
    try:
        return b"null" in orjson.dumps(tools)
    except TypeError:
        return True
