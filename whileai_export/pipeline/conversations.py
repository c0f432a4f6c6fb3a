"""Conversations to JSON text: a message that many lines hold is encoded once."""

from __future__ import annotations

from typing import TypeAlias

import orjson

from whileai_export.io.encode import dumps
from whileai_export.pipeline.part import SYSTEM
from whileai_export.shared.schema import Message

#: System messages of rows that are remembered.
_CONSTANTS = 256
#: A message, or its text.
_Turn: TypeAlias = Message | orjson.Fragment


class Conversations:
    """Encodes the conversations of one part.

    ``given``: the system prompt of the rows that have none of their own; only its place is left.
    """

    def __init__(self, given: str | None) -> None:
        self._systems: dict[str, orjson.Fragment] = {}
        if given is not None:
            self._systems[given] = orjson.Fragment(SYSTEM)
        self._shared: dict[int, _Turn] = {}
        """By identity, the text of the messages of the row at hand."""
        self._kept: list[Message] = []

    def forget(self) -> None:
        """The messages of the next row are others."""
        self._shared.clear()
        self._kept.clear()

    def encoded(self, messages: list[Message], *, shares: bool = False) -> bytes:
        """The JSON text of a conversation that is not empty.

        ``shares``: other lines of the row at hand hold the very same messages.
        """
        if not shares:
            return dumps([self._constant(messages[0]), *messages[1:]])
        try:
            return dumps(list(map(self._shared.__getitem__, map(id, messages))))
        except KeyError:
            return dumps(self._learned(messages))

    def _learned(self, messages: list[Message]) -> list[_Turn]:
        for message in messages:
            if id(message) not in self._shared:
                known = self._constant(message)
                text = orjson.Fragment(dumps(message)) if known is message else known
                self._shared[id(message)] = text
                # As long as it is here, no other message takes its identity.
                self._kept.append(message)
        return list(map(self._shared.__getitem__, map(id, messages)))

    def _constant(self, message: Message) -> _Turn:
        """A system message, which many rows share, encoded once."""
        if message["role"] != "system" or len(message) > 2:
            return message
        text = message["content"]
        found = self._systems.get(text)
        if found is None:
            if len(self._systems) >= _CONSTANTS:
                self._systems.popitem()
            found = self._systems[text] = orjson.Fragment(dumps(message))
        return found
