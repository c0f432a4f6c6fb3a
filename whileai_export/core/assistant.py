"""The assistant's turn: what it said, what it thought, which tools it called."""

from __future__ import annotations

from whileai_export.core.anthropic import has_blocks, said_in_blocks
from whileai_export.core.calls import read_calls, read_function_call
from whileai_export.core.content import text_of
from whileai_export.core.repairs import added, total
from whileai_export.core.turn_keys import keys_dropped
from whileai_export.shared.schema import NO_REPAIRS, JsonObject, Message, Repairs, ToolCall

#: How many keys a turn without anything unusual has beside its calls: role and content.
_PLAIN = 2
_CONVERTED: Repairs = {"function_call_converted": 1}


def read_assistant(value: JsonObject) -> tuple[list[Message], Repairs]:
    """One recorded turn of the assistant."""
    repairs = NO_REPAIRS
    calls: list[ToolCall] | None = None
    recorded = value.get("tool_calls")
    if recorded is not None:
        calls, repairs = read_calls(recorded)
    content = value.get("content")
    if type(content) is not str or len(value) != _PLAIN + (recorded is not None):
        turn, found = _in_full(value, content, calls or [])
        return [turn], added(repairs, found)
    turn = {"role": "assistant", "content": content}
    if calls:
        turn["tool_calls"] = calls
    return [turn], repairs


def _in_full(value: JsonObject, content: object, calls: list[ToolCall]) -> tuple[Message, Repairs]:
    repairs = keys_dropped(value, "assistant")
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
        text, found = text_of(content, ".content")
        repairs = added(repairs, found)
    turn: Message = {"role": "assistant", "content": text}
    if reasoning:
        turn["reasoning_content"], _ = text_of(reasoning, ".reasoning_content")
    if calls:
        turn["tool_calls"] = calls
    return turn, repairs


def _without_repeats(calls: list[ToolCall], others: list[ToolCall]) -> list[ToolCall]:
    """Both lists; some recorders write the calls of the blocks a second time beside them."""
    known = {call["id"] for call in calls}
    return [*calls, *(call for call in others if call["id"] not in known)]
