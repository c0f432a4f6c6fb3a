"""The JSON that trainers read: every format is one function from the canonical row.

A function returns the format's own columns, one mapping a line; the pipeline adds the carried
columns where the format allows any. What each trainer does with its rows: ``docs/formats.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from whileai_export.core.canonical import PairRow, SftRow
from whileai_export.core.encoding import WireMessage, wire_messages
from whileai_export.core.groups import PASS
from whileai_export.core.identity import first_assistant, same_turn, same_turns
from whileai_export.core.mask import is_empty
from whileai_export.shared.schema import JsonObject, WireFormat

Line: TypeAlias = dict[str, Any]


def _with_tools(line: Line, tools: list[JsonObject] | None) -> Line:
    if tools:
        line["tools"] = tools
    return line


def openai(row: SftRow) -> list[Line]:
    """Whole conversation, arguments as JSON text, the mask beside it."""
    line: Line = {"messages": row.wired("openai"), "loss_mask": row.loss_mask}
    return [_with_tools(line, row.tools)]


def trl(row: SftRow) -> list[Line]:
    """Whole conversation, arguments as objects."""
    line: Line = {"messages": row.wired("trl"), "loss_mask": row.loss_mask}
    return [_with_tools(line, row.tools)]


def trl_completion(row: SftRow) -> list[Line]:
    """One line a trained turn: everything before it, and that one message.

    A turn that nothing comes before gives no line: trainers fail on an empty prompt.
    """
    messages = row.wired("trl-completion")
    return [
        _with_tools({"prompt": messages[:place], "completion": [messages[place]]}, row.tools)
        for place in _answers(row)
    ]


def fireworks(row: SftRow) -> list[Line]:
    """The mask as a ``weight`` on every assistant message; nothing beside messages and tools."""
    messages = [
        {**m, "weight": carries_loss} if m["role"] == "assistant" else m
        for m, carries_loss in zip(row.wired("fireworks"), row.loss_mask, strict=True)
    ]
    return [_with_tools({"messages": messages}, row.tools)]


def kto(row: SftRow) -> list[Line]:
    """A graded rollout as a completion that is good or not; an ungraded one gives no line.

    The completion begins at the first trained turn, so a mask of the final turn is honoured.
    """
    split = next(_answers(row), None)
    if row.reward is None or split is None:
        return []
    messages = row.wired("kto")
    line: Line = {"prompt": messages[:split], "completion": messages[split:]}
    line["label"] = row.reward >= PASS
    return [_with_tools(line, row.tools)]


def _answers(row: SftRow) -> Iterator[int]:
    """The places of the trained turns that have something before them."""
    return (place for place, carries_loss in enumerate(row.loss_mask) if carries_loss and place)


def openai_pair(pair: PairRow) -> Line | None:
    """The ask as text, both sides whole conversations."""
    line: Line = {
        "prompt": pair.prompt,
        "chosen": wire_messages(pair.chosen, "openai"),
        "rejected": wire_messages(pair.rejected, "openai"),
    }
    return _with_tools(line, pair.tools)


def trl_pair(pair: PairRow) -> Line | None:
    """The messages up to the first assistant turn, and what follows on each side."""
    split = first_assistant(pair.chosen)
    shared = same_turns(pair.chosen[:split], pair.rejected[: first_assistant(pair.rejected)])
    if not split or not shared:
        return None
    chosen, rejected = (wire_messages(s, "trl") for s in (pair.chosen, pair.rejected))
    line: Line = {
        "prompt": chosen[:split],
        "chosen": chosen[split:],
        "rejected": rejected[split:],
    }
    return _with_tools(line, pair.tools)


def trl_completion_pair(pair: PairRow) -> Line | None:
    """The longest shared beginning, and the one assistant message where the sides part."""
    parted = _parting(pair, "trl-completion")
    if parted is None:
        return None
    prompt, chosen, rejected = parted
    line: Line = {"prompt": prompt, "chosen": [chosen], "rejected": [rejected]}
    return _with_tools(line, pair.tools)


def fireworks_pair(pair: PairRow) -> Line | None:
    """The shared beginning as ``input``, one assistant message a side."""
    parted = _parting(pair, "fireworks")
    if parted is None:
        return None
    prompt, chosen, rejected = parted
    return {
        "input": _with_tools({"messages": prompt}, pair.tools),
        "preferred_output": [chosen],
        "non_preferred_output": [rejected],
    }


def _parting(
    pair: PairRow, format: WireFormat
) -> tuple[list[WireMessage], WireMessage, WireMessage] | None:
    shared = 0
    for ours, theirs in zip(pair.chosen, pair.rejected, strict=False):
        if not same_turn(ours, theirs):
            break
        shared += 1
    if not shared or shared == min(len(pair.chosen), len(pair.rejected)):
        return None
    sides = pair.chosen[shared], pair.rejected[shared]
    if any(side["role"] != "assistant" or is_empty(side) for side in sides):
        return None
    prompt = wire_messages(pair.chosen[:shared], format)
    chosen, rejected = wire_messages(sides, format)
    return prompt, chosen, rejected


SFT: dict[WireFormat, Callable[[SftRow], list[Line]]] = {
    "openai": openai,
    "trl": trl,
    "trl-completion": trl_completion,
    "fireworks": fireworks,
    "kto": kto,
}
PREFERENCE: dict[WireFormat, Callable[[PairRow], Line | None]] = {
    "openai": openai_pair,
    "trl": trl_pair,
    "trl-completion": trl_completion_pair,
    "fireworks": fireworks_pair,
}

#: Formats whose lines hold nothing but the format's own columns.
BARE: frozenset[WireFormat] = frozenset({"fireworks"})
#: Formats that spell arguments as objects; what is no object cannot be written in them.
OBJECTS: frozenset[WireFormat] = frozenset({"trl", "trl-completion", "kto"})
#: What the ask's column is called, where ``prompt`` would mean something else to the trainer.
ASK_COLUMN: dict[WireFormat, str] = {
    "openai": "prompt",
    "trl": "prompt_text",
    "trl-completion": "prompt_text",
    "kto": "prompt_text",
}
