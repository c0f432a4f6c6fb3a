"""The canonical row: what every wire format is written from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from whileai_export.core.encoding import TEXT_FORMATS, WireMessage, wire_messages
from whileai_export.shared.schema import JsonObject, Message, WireFormat


@dataclass(slots=True)
class SftRow:
    """One conversation as it is written: stripped, capped, masked."""

    messages: list[Message]
    loss_mask: list[int]
    tools: list[JsonObject] | None
    reward: float | None = None
    texts: Sequence[str] = ()
    """The JSON text of every call's arguments, where the round-trip gate made it."""
    cuts: Sequence[int] = ()
    """Characters of tool output that every message lost; empty where none lost any."""
    whole: SftRow | None = None
    """The row that this one is the beginning of."""
    _wired: dict[bool, list[WireMessage]] = field(default_factory=dict)

    def wired(self, format: WireFormat) -> Sequence[WireMessage]:
        """The messages with their calls as the format spells them; made once, never changed."""
        if self.whole is not None:
            return self.whole.wired(format)[: len(self.messages)]
        as_text = format in TEXT_FORMATS
        if as_text not in self._wired:
            self._wired[as_text] = wire_messages(self.messages, format, self.texts)
        return self._wired[as_text]


@dataclass(slots=True)
class PairRow:
    """One preference: two whole conversations that answer one ask."""

    prompt: str
    chosen: list[Message]
    rejected: list[Message]
    tools: list[JsonObject] | None
