"""Rows that only a trainer reads: told by their columns, and no source any more."""

from __future__ import annotations

from whileai_export.shared.schema import JsonObject


def trainer_row(row: JsonObject) -> str | None:
    """What a row is that a trainer reads, in words; None for what may be a trajectory."""
    has = {name for name, value in row.items() if value is not None}
    if {"chosen", "rejected"} <= has:
        return "a preference pair (export_preference takes those)"
    if {"prompt", "completion", "label"} <= has:
        return "a row of format kto"
    if {"input", "preferred_output"} <= has:
        return "a row of format fireworks"
    if type(row.get("prompt")) is list is type(row.get("completion")):
        return "a row of format trl-completion"
    return None
