"""Every door of the library, opened with options drawn at random."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from whileai_export.pipeline.preference import write_pairs
from whileai_export.shared.options import FORMATS, PREFERENCE_FORMATS, PairOptions, Policy

PAIR_FORMATS = PREFERENCE_FORMATS
SFT_FORMATS = FORMATS


def sft_options(random: Random, format: str) -> dict[str, Any]:
    """Keywords of ``export_dataset``."""
    some = random.choice
    return {
        "validate": some((True, False)),
        "on_bad_row": some(("refuse", "quarantine", "quarantine")),
        "on_leak": some(("refuse", "quarantine")),
        "max_quarantined": some((0.05, 1.0, 1.0)),
        "strip_think": some((True, False)),
        "mask_mode": some(("assistant", "assistant", "final")),
        "unroll": format != "kto" and some((True, False, False)),
        "max_tool_output_chars": some((None, None, 0, 7)),
        "strict": some((False, False, False, True)),
        "min_reward": some((None, None, 0.5)),
        "drop_failed": some((True, False)),
        "dedupe": some((True, False)),
        "max_per_task": some((None, None, 1)),
        "trim_tail": some((True, False)),
        "columns": some((None, None, ("row_id", "task", "reward"), ("row_id", "usage", "steps"))),
        "system_prompt": some((None, None, "Be brief.\u2028")),
        "tools": some((None, None, [{"type": "function", "function": {"name": "look"}}])),
    }


def pair_options(random: Random) -> dict[str, Any]:
    """Keywords of ``export_preference``."""
    some = random.choice
    return {
        "validate": some((True, False)),
        "on_bad_row": some(("refuse", "quarantine")),
        "on_leak": some(("refuse", "quarantine")),
        "max_quarantined": some((0.05, 1.0)),
        "strip_think": some((True, False)),
        "drop_ties": some((True, False)),
        "strict": some((False, False, True)),
        "columns": some((None, ("row_id", "task", "margin"))),
    }


def paired(source: Path, output: Path, format: Any, random: Random) -> dict[str, Any]:
    """Rows to pairs to a file, the way the project does it."""
    some = random.choice
    options = PairOptions(
        formats=(format,),
        min_margin=some((0.1, 0.5, 1.0)),
        max_pairs_per_task=some((1, 3)),
        length_match=some((True, False)),
        policy=Policy(
            on_bad_row=some(("refuse", "quarantine", "quarantine")), max_quarantined=some((0.1, 1))
        ),
    )
    kept = output.with_name("kept.jsonl")
    gates = ("tool_schema", "policy", "secrets")
    with write_pairs(
        source, {format: output}, options=options, quarantine=kept, gates=gates
    ) as outcome:
        outcome.publish()
        return outcome.report
