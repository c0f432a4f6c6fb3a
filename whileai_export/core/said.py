"""Everything the assistant said in one conversation, and what it was told before it said it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from whileai_export.core.clean import is_one_block, strip_think
from whileai_export.core.folding import fold
from whileai_export.core.forms import has_other_letters, other_forms
from whileai_export.core.leaves import leaves
from whileai_export.core.numbers import written
from whileai_export.core.skeleton import skeleton
from whileai_export.shared.schema import BadArguments, Message

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
    texts, tags = _replies(messages)
    if final_text:
        texts += [final_text, *_without_its_middle(final_text)]
        tags = tags or "<" in final_text
    arguments = "\n".join(encoded)
    # A value stands in its JSON text as it is, unless it is escaped there.
    if not arguments or has_other_letters(arguments):
        values = _argument_texts(messages)
        texts += values
        tags = tags or any(map(has_other_letters, values))
    else:
        texts.append(arguments)
    said = "\n".join(texts)
    if has_other_letters(said, tags=tags):
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


def _replies(messages: list[Message]) -> tuple[list[str], bool]:
    """What the assistant wrote, and whether there may be tags in it beside those of reasoning."""
    texts: list[str] = []
    tags = False
    for message in messages:
        if message["role"] == "assistant":
            text = message["content"]
            texts.append(text)
            if "<" in text and not is_one_block(text):
                texts += _without_its_middle(text)
                tags = True
            if "reasoning_content" in message:
                reasoning = message["reasoning_content"]
                texts.append(reasoning)
                tags = tags or "<" in reasoning
    return texts, tags


def _without_its_middle(text: str) -> Sequence[str]:
    """Without reasoning, where what stood apart then stands together."""
    if is_one_block(text):
        return _NONE
    shown = strip_think(text)[0]
    return _NONE if shown in text else [shown]


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
