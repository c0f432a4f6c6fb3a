"""Rows of the shapes ``steps`` and ``platform``: what was asked, then one step after another."""

from __future__ import annotations

from typing import Any

from whileai_export.core.aliases import ARGUMENT_ALIASES, RESULT_ALIASES, read_under
from whileai_export.core.arguments import read_arguments
from whileai_export.core.content import result_text, text_of
from whileai_export.core.link import call_id
from whileai_export.core.repairs import added
from whileai_export.core.values import kind_of, placed
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import NO_REPAIRS, JsonObject, Message, Repairs

_RESULT_MISSING: Repairs = {"missing_results": 1}


def read_steps(
    opener: object, ask: str | None, steps: object, at: str
) -> tuple[list[Message], Repairs]:
    """The conversation that the steps record, before ``final_text`` closes it."""
    if type(steps) is not list:
        raise BadRow(f"expected a list of steps, got {kind_of(steps)}", at)
    messages = _opening(opener, ask)
    repairs = NO_REPAIRS
    calls = 0
    for number, step in enumerate(steps):
        try:
            turns, found = _read_step(step, calls)
        except BadRow as bad:
            raise placed(bad, f"{at}[{number}]") from None
        calls += turns[-1]["role"] == "tool"
        messages += turns
        if found:
            repairs = added(repairs, found)
    return messages, repairs


def _opening(opener: object, ask: str | None) -> list[Message]:
    messages: list[Message] = []
    if opener is not None and opener != "":
        messages.append({"role": "assistant", "content": text_of(opener, "$.opener")[0]})
    if ask:
        messages.append({"role": "user", "content": ask})
    return messages


def _read_step(step: Any, calls: int) -> tuple[list[Message], Repairs]:
    """The turns of one step, before which so many calls were made.

    The user's words come first where it holds more than one thing.
    """
    if type(step) is not dict:
        raise BadRow(f"expected a step, got {kind_of(step)}")
    tool, user = step.get("tool"), step.get("user")
    if tool is not None and user is None:
        return _tool_turns(step, tool, call_id(calls))
    turns: list[Message] = []
    repairs = NO_REPAIRS
    if user is not None:
        turns.append({"role": "user", "content": text_of(user, ".user")[0]})
    if tool is not None:
        answered, repairs = _tool_turns(step, tool, call_id(calls))
        turns += answered
    elif step.get("text") is not None:
        turns.append({"role": "assistant", "content": text_of(step["text"], ".text")[0]})
    if not turns:
        raise BadRow("expected a step with user, tool or text, got none of them")
    return turns, repairs


def _tool_turns(step: JsonObject, tool: object, id: str) -> tuple[list[Message], Repairs]:
    """The turn that calls a tool, and the turn in which it answers."""
    if type(tool) is not str or not tool:
        raise BadRow(f"expected the name of a tool, got {kind_of(tool)}", ".tool")
    repairs = NO_REPAIRS
    given = step.get("arguments")
    if given is None:
        given, repairs = read_under("arguments", ARGUMENT_ALIASES, step)
    arguments, found = read_arguments(given)
    if found:
        repairs = added(repairs, found)
    if "result" in step:
        result = step["result"]
    else:
        result, found = read_under("result", RESULT_ALIASES, step)
        repairs = added(repairs, found or _RESULT_MISSING)
    said = step.get("text")
    if said is None:
        said = ""
    elif type(said) is not str:
        said = text_of(said, ".text")[0]
    seen, found = (result, NO_REPAIRS) if type(result) is str else result_text(result, ".result")
    if found:
        repairs = added(repairs, found)
    return [
        {
            "role": "assistant",
            "content": said,
            "tool_calls": [{"id": id, "name": tool, "arguments": arguments}],
        },
        {"role": "tool", "content": seen, "name": tool, "tool_call_id": id},
    ], repairs
