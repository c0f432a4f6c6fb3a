"""The documented functions that write nothing: a mask, and who quotes whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any

from whileai_export.core import mask
from whileai_export.core.values import kind_of
from whileai_export.pipeline.sft import write_sft
from whileai_export.shared.errors import SourceError
from whileai_export.shared.options import MASK_MODES, Policy, SftOptions, one_of
from whileai_export.shared.schema import JsonObject, MaskMode

_EXPECTED = "expected the messages of one row (row['messages'] of training_rows)"


def loss_mask(messages: Sequence[JsonObject], mode: MaskMode = "assistant") -> list[int]:
    """One 0 or 1 per message: 1 carries loss, 0 is context only.

    ``assistant`` trains every assistant turn, ``final`` the last one alone (rlhf-book ch. 4,
    "Implementation Details"). Tool output never carries loss (ch. 13). Raises ``OptionError``
    for another mode, ``SourceError`` for what is no list of messages.
    """
    one_of("mode", mode, MASK_MODES)
    if isinstance(messages, Mapping | str | bytes | PathLike) or not isinstance(messages, Iterable):
        raise SourceError(f"{_EXPECTED}, got {_kind(messages)}")
    turns = list(messages)
    if turns and not any(isinstance(turn, Mapping) and "role" in turn for turn in turns):
        raise SourceError(f"{_EXPECTED}, got a list in which nothing has a role")
    return mask.by_role(turns, mode)


def _kind(value: object) -> str:
    return "a row" if isinstance(value, Mapping) else kind_of(value)


def leak_report(source: object) -> dict[str, Any]:
    """Which rows of a source quote their own privileged block. Writes nothing."""
    options = SftOptions(policy=Policy(validate=False))
    with write_sft(source, {}, options=options) as outcome:
        if outcome.refusal is not None:
            raise outcome.refusal
        return dict(outcome.report["privileged_leaks"])
