"""Rows of OpenAI's Responses API: a request, and the items that came out of it."""

from __future__ import annotations

from typing import Any

from whileai_export.core.calls import read_call, recorded_id
from whileai_export.core.content import output_text, text_of
from whileai_export.core.messages import read_message
from whileai_export.core.repairs import added
from whileai_export.core.values import kind_of, placed, shown
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import NO_REPAIRS, JsonObject, Message, Repairs

_INPUT = "$.responses_create_params.input"
_OUTPUT = "$.response.output"


def is_responses(row: JsonObject) -> bool:
    """Whether a row holds a request and the output it led to."""
    response = row.get("response")
    return (
        type(row.get("responses_create_params")) is dict
        and type(response) is dict
        and "output" in response
    )


def read_responses(row: JsonObject) -> tuple[list[Message], Repairs]:
    """The conversation: what the request gave the agent, then what it said and was told."""
    request: JsonObject = row["responses_create_params"]
    given = request.get("input")
    if given is None or type(given) is str:
        given = [{"role": "user", "content": given}] if given else []
    messages = _instructions(request.get("instructions"))
    before, repairs = _read_items(given, _INPUT)
    after, found = _read_items(row["response"]["output"], _OUTPUT)
    return [*messages, *before, *after], added(repairs, found)


def response_finish(response: JsonObject) -> str | None:
    """Why the response ended badly: cut at a length, or failed; None where it did not."""
    status = response.get("status")
    if status in ("failed", "cancelled"):
        return "error"
    if status != "incomplete":
        return None
    details = response.get("incomplete_details")
    reason = details.get("reason") if type(details) is dict else None
    return "length" if reason in (None, "max_output_tokens") else "error"


def _instructions(text: object) -> list[Message]:
    if not text:
        return []
    if type(text) is not str:
        raise BadRow(
            f"expected text, got {kind_of(text)}", "$.responses_create_params.instructions"
        )
    return [{"role": "system", "content": text}]


def _read_items(items: object, at: str) -> tuple[list[Message], Repairs]:
    """The turns of a list of items; neighbours that the assistant made are one turn."""
    if type(items) is not list:
        raise BadRow(f"expected a list of items, got {kind_of(items)}", at)
    turns: list[Message] = []
    repairs = NO_REPAIRS
    for n, item in enumerate(items):
        try:
            read, found = _read_item(item)
        except BadRow as bad:
            raise placed(bad, f"{at}[{n}]") from None
        repairs = added(repairs, found)
        for turn in read:
            if turns and turn["role"] == "assistant" == turns[-1]["role"]:
                turns[-1] = _joined(turns[-1], turn)
            else:
                turns.append(turn)
    return turns, repairs


def _read_item(item: Any) -> tuple[list[Message], Repairs]:
    if type(item) is not dict:
        raise BadRow(f"expected an item, got {kind_of(item)}")
    kind = item.get("type", "message")
    if kind == "message":
        return _read_message_item(item)
    if kind == "function_call":
        call, repairs = read_call({**item, "id": item.get("call_id") or item.get("id")})
        return [{"role": "assistant", "content": "", "tool_calls": [call]}], repairs
    if kind == "function_call_output":
        return _read_output(item)
    if kind == "reasoning":
        thoughts = _thoughts(item)
        turn: Message = {"role": "assistant", "content": "", "reasoning_content": thoughts}
        return [turn] if thoughts else [], {"reasoning_items": 1}
    raise BadRow(f"expected a message, a function call or its output, got {shown(kind)}", ".type")


def _read_message_item(item: JsonObject) -> tuple[list[Message], Repairs]:
    content = item.get("content")
    if type(content) is list:
        content, _ = text_of(content, ".content")
    return read_message({"role": item.get("role"), "content": content})


def _read_output(item: JsonObject) -> tuple[list[Message], Repairs]:
    text, repairs = output_text(item.get("output"), ".output")
    turn: Message = {"role": "tool", "content": text}
    id = recorded_id(item.get("call_id"), ".call_id")
    if id:
        turn["tool_call_id"] = id
    return [turn], repairs


def _thoughts(item: JsonObject) -> str:
    for key in ("content", "summary"):
        parts = item.get(key)
        if parts and type(parts) is list:
            texts = [part.get("text") if type(part) is dict else None for part in parts]
            return "\n\n".join(text for text in texts if type(text) is str and text)
    return ""


def _joined(one: Message, other: Message) -> Message:
    """Two parts of one assistant turn as one, keys in their usual order."""
    texts = [part["content"] for part in (one, other) if part["content"]]
    thoughts = [part.get("reasoning_content", "") for part in (one, other)]
    calls = [call for part in (one, other) for call in part.get("tool_calls", ())]
    turn: Message = {"role": "assistant", "content": "\n\n".join(texts)}
    if any(thoughts):
        turn["reasoning_content"] = "\n\n".join(filter(None, thoughts))
    if calls:
        turn["tool_calls"] = calls
    return turn
