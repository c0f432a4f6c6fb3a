"""The documented functions that write nothing: a mask, and who quotes whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from whileai_export.core import mask
from whileai_export.pipeline.sft import write_sft
from whileai_export.shared.options import MASK_MODES, Policy, SftOptions, one_of
from whileai_export.shared.schema import JsonObject, MaskMode


def loss_mask(messages: Sequence[JsonObject], mode: MaskMode = "assistant") -> list[int]:
    """One 0 or 1 per message: 1 carries loss, 0 is context only.

    ``assistant`` trains every assistant turn, ``final`` the last one alone (rlhf-book ch. 4,
    "Implementation Details"). Tool output never carries loss (ch. 13). Raises ``OptionError``
    for another mode.
    """
    one_of("mode", mode, MASK_MODES)
    return mask.by_role(messages, mode)


def leak_report(source: object) -> dict[str, Any]:
    """Which rows of a source quote their own privileged block. Writes nothing."""
    options = SftOptions(policy=Policy(validate=False))
    with write_sft(source, {}, options=options) as outcome:
        if outcome.refusal is not None:
            raise outcome.refusal
        return dict(outcome.report["privileged_leaks"])
