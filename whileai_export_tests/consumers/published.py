"""Files as the project publishes them, of the project's own sample data."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from whileai_export.pipeline.card import folder_card
from whileai_export.pipeline.preference import write_pairs
from whileai_export.pipeline.sft import write_sft
from whileai_export.shared.careful import CAREFUL_PAIRS, CAREFUL_SFT
from whileai_export.shared.schema import WireFormat

KEPT = replace(CAREFUL_SFT.selection, min_reward=None)


def sft(
    source: object, folder: Path, formats: Sequence[WireFormat], **changed: Any
) -> dict[str, Any]:
    """Publish SFT rows with their card; the report."""
    options = replace(CAREFUL_SFT, formats=tuple(formats), **changed)
    targets = {name: folder / f"sft.{name}.jsonl" for name in formats}
    with write_sft(source, targets, options=options, simulation="night") as outcome:
        outcome.add(folder / "README.md", folder_card("night: sft", outcome.report))
        outcome.publish()
        return outcome.report


def pairs(source: object, folder: Path, formats: Sequence[WireFormat]) -> dict[str, Any]:
    """Publish preference pairs with their card; the report."""
    options = replace(CAREFUL_PAIRS, formats=tuple(formats))
    targets = {name: folder / f"preference.{name}.jsonl" for name in formats}
    with write_pairs(source, targets, options=options, simulation="night") as outcome:
        outcome.add(folder / "README.md", folder_card("night: preference", outcome.report))
        outcome.publish()
        return outcome.report


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


MASKS: dict[str, dict[str, Any]] = {
    "assistant": {},
    "final": {"mask_mode": "final"},
    "unroll": {"unroll": True},
}


def masks(source: object, folder: Path, **changed: Any) -> dict[str, list[int]]:
    """Of each row: which of its assistant turns the mask trains."""
    sft(source, folder, ["openai"], **changed)
    return {
        row["row_id"]: [
            bit
            for bit, message in zip(row["loss_mask"], row["messages"], strict=True)
            if message["role"] == "assistant"
        ]
        for row in rows_of(folder / "sft.openai.jsonl")
    }
