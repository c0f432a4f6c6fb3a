"""What each trainer does with a file's rows, and where that is not what was asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai_export.shared.counted import agreeing, counted
from whileai_export.shared.options import SftOptions
from whileai_export.shared.schema import WireFormat
from whileai_export.shared.tally import Marks

Sentences = Mapping[WireFormat, str]
SFT: Sentences = {
    "openai": "`loss_mask` is beside the messages: services train every assistant turn",
    "trl": "TRL reads no mask: assistant_only_loss=True trains every assistant turn, "
    "without it every token is trained",
    "trl-completion": "TRL trains the completion, which is one turn that the mask trains",
    "fireworks": "the weight 0 or 1 of each assistant message is the mask",
    "kto": "TRL scores all that follows the first trained turn, tool and user turns too",
}
PAIRS: Sentences = {
    "openai": "each side is a whole conversation: take its last turns",
    "trl": "TRL scores all that follows the prompt, tool and user turns too",
    "trl-completion": "TRL scores one assistant turn a side",
    "fireworks": "one assistant turn a side is scored",
}


def sft_advice(
    options: SftOptions, marks: Marks, unsaid: Mapping[str, int], written: int
) -> list[str]:
    """The warnings about what the formats cannot say of these rows."""
    told = []
    partial = options.mask_mode == "final" or options.unroll or marks.trained_anyway
    if partial and "trl" in options.formats:
        told.append(
            "trl trains on every assistant turn whatever the mask says "
            f"({counted(marks.trained_anyway, *_NO_LOSS)}); trl-completion honours it"
        )
    if "kto" in options.formats:
        told += _kto_advice(marks)
    return told + [
        f"{count:,} of {counted(written, 'row')} {agreeing(count, 'has', 'have')}"
        f" no line in {name}: {_WHY[name]}"
        for name, count in sorted(unsaid.items())
        if count
    ]


def _kto_advice(marks: Marks) -> list[str]:
    told = []
    if marks.foreign:
        told.append(foreign_advice(marks.foreign, "kto"))
    if not (marks.passed and marks.failed):
        label = "passed" if marks.passed else "failed"
        told.append(
            f"every kto row is of a rollout that {label}: KTO needs both kinds (min_reward set "
            "to none keeps the failed ones)"
        )
    return told


def foreign_advice(count: int, format: WireFormat) -> str:
    """The warning about turns of others inside completions."""
    return (
        f"{counted(count, 'tool or user turn stands', 'tool and user turns stand')} inside {format}"
        f" completions and {agreeing(count, 'is', 'are')} scored as the policy's words"
    )


def pair_advice(unsaid: Mapping[str, int]) -> list[str]:
    """The warnings about pairs that a format cannot say."""
    return [
        f"{counted(count, 'pair has', 'pairs have')} no line in {name}: "
        + ("the asks differ" if name == "trl" else "the sides do not part at an assistant turn")
        for name, count in sorted(unsaid.items())
        if count
    ]


def length_advice(lengths: Mapping[str, Any], max_tokens: int | None) -> list[str]:
    """The warning about rows that a trainer would cut off."""
    count = lengths.get("past_max_tokens")
    if not count:
        return []
    return [
        f"{counted(count, 'row is', 'rows are')} longer than max_tokens={max_tokens}: a trainer"
        f" cuts the last turn off (drop_long leaves {agreeing(count, 'it', 'them')} out)"
    ]


_NO_LOSS = "turn that carries no loss", "turns that carry no loss"
_NO_OBJECT = "arguments that are no object cannot be said there"
_WHY: Mapping[str, str] = {
    "openai": _NO_OBJECT,
    "trl": _NO_OBJECT,
    "fireworks": _NO_OBJECT,
    "trl-completion": "no turn is trained that has something before it, or its arguments are no "
    "object",
    "kto": "they are ungraded, no turn is trained that has something before it, or arguments are "
    "no object",
}
