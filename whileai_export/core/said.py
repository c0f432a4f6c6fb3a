"""Everything the assistant said in one conversation, and what it was told before it said it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from whileai_export.core.clean import strip_think
from whileai_export.core.folding import fold
from whileai_export.core.leaves import leaves
from whileai_export.core.numbers import written
from whileai_export.core.skeleton import skeleton
from whileai_export.shared.schema import BadArguments, Message

_ESCAPE = re.compile(r"((?:\\u[0-9a-fA-F]{4})+)|\\(.)", re.DOTALL)
_MOST_ESCAPED = 3
#: Less-than signs of a text whose one block of reasoning comes first.
_OF_ONE_BLOCK = 2
_NONE: tuple[str, ...] = ()


class Text:
    """One text of a conversation, with its skeleton and its normal form made when asked for."""

    def __init__(self, text: str, turn: int = 0, at: str = "") -> None:
        self.text = text
        self.turn = turn
        self.at = at

    @cached_property
    def bones(self) -> bytes:
        return skeleton(self.text)

    @cached_property
    def folded(self) -> str:
        return fold(self.text)


def said_skeleton(
    messages: list[Message], final_text: str | None, encoded: Sequence[str] = ()
) -> bytes:
    """The skeleton of everything the assistant said, in one piece.

    ``encoded`` is the JSON text of every call's arguments, where it is at hand.
    """
    texts: list[str] = []
    for message in messages:
        if message["role"] == "assistant":
            text = message["content"]
            texts.append(text)
            if "<" in text and (text.count("<") > _OF_ONE_BLOCK or not text.startswith("<think>")):
                texts += _without_its_middle(text)
            if "reasoning_content" in message:
                texts.append(message["reasoning_content"])
    if final_text:
        texts += [final_text, *_without_its_middle(final_text)]
    arguments = "\n".join(encoded)
    # A value stands in its JSON text as it is, unless it is escaped there.
    if "\\" in arguments or not arguments:
        texts += _argument_texts(messages)
    else:
        texts.append(arguments)
    said = "\n".join(texts)
    if "\\" in said:
        said = "\n".join((said, *(form for text in texts for form in other_forms(text))))
    return skeleton(said)


def said(messages: list[Message], final_text: str | None) -> Iterator[Text]:
    """Every text of the assistant, with its place and in each of its forms."""
    for turn, at, text in _places(messages, final_text):
        yield Text(text, turn, at)
        for form in other_forms(text):
            yield Text(form, turn, at)


def told(messages: list[Message]) -> Iterator[Text]:
    """Every text of a system, user or tool turn, in each of its forms."""
    for turn, message in enumerate(messages):
        if message["role"] != "assistant":
            yield Text(message["content"], turn)
            for form in other_forms(message["content"]):
                yield Text(form, turn)


def other_forms(text: str) -> list[str]:
    """What the text becomes when JSON escapes in it are read, once or more often."""
    forms: list[str] = []
    while "\\" in text and len(forms) < _MOST_ESCAPED:
        text = _ESCAPE.sub(_character, text)
        forms.append(text)
    return forms


def _without_its_middle(text: str) -> Sequence[str]:
    """Without reasoning, where what stood apart then stands together."""
    if text.count("<") <= _OF_ONE_BLOCK and text.startswith("<think>"):
        return _NONE  # at most one block, at the beginning
    shown = strip_think(text)[0]
    return _NONE if shown in text else [shown]


def _character(escape: re.Match[str]) -> str:
    if escape[1]:
        units = bytes.fromhex(escape[1].replace("\\u", ""))
        return units.decode("utf-16-be", "replace")
    return " " if escape[2] in "nrtbf" else escape[2]


def _places(messages: list[Message], final_text: str | None) -> Iterator[tuple[int, str, str]]:
    for turn, message in enumerate(messages):
        if message["role"] == "assistant":
            for at, text in _of_turn(message, f"$.messages[{turn}]"):
                yield turn, at, text
    if final_text:
        for text in (final_text, *_without_its_middle(final_text)):
            yield len(messages), "$.final_text", text


def _of_turn(message: Message, at: str) -> Iterator[tuple[str, str]]:
    for text in (message["content"], *_without_its_middle(message["content"])):
        yield f"{at}.content", text
    if "reasoning_content" in message:
        yield f"{at}.reasoning_content", message["reasoning_content"]
    for n, call in enumerate(message.get("tool_calls", ())):
        yield from _values(call["arguments"], f"{at}.tool_calls[{n}].arguments")


def _argument_texts(messages: list[Message]) -> list[str]:
    return [
        text
        for message in messages
        if "tool_calls" in message
        for call in message["tool_calls"]
        for _, text in _values(call["arguments"], "")
    ]


def _values(arguments: Any, at: str) -> Iterator[tuple[str, str]]:
    if isinstance(arguments, BadArguments):
        yield at, arguments.text
        return
    for place, value in leaves(arguments, at):
        text = value if isinstance(value, str) else written(value)
        if text:
            yield place, text
