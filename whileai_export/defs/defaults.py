"""What each step does where nobody chose otherwise, and what a run may choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from whileai_export.defs.config import (
    InputConfig,
    PreferenceConfig,
    RowsConfig,
    RunConfig,
    SftConfig,
)
from whileai_export.shared.careful import CAREFUL_PAIRS, CAREFUL_SFT, STAGED_ROWS
from whileai_export.shared.options import PairOptions, Policy, SftOptions

#: Reads every row and keeps none: what a later step would refuse is only counted.
CENSUS = SftOptions(
    formats=("trl",),
    strip_think=False,
    policy=Policy(validate=False, on_bad_row="quarantine", max_quarantined=1.0),
)
ROWS = STAGED_ROWS
#: Staged rows have passed the gates: one that does not is a fault, and never set aside.
SFT = replace(CAREFUL_SFT, policy=Policy(reload="auto"))
PAIRS = replace(CAREFUL_PAIRS, policy=Policy(reload="auto"))

DEFAULTS: Mapping[str, SftOptions | PairOptions] = {
    "graded_simulations": CENSUS,
    "training_rows": ROWS,
    "sft_jsonl": SFT,
    "preference_jsonl": PAIRS,
}
CONFIGS: Mapping[str, type[RunConfig]] = {
    "graded_simulations": InputConfig,
    "training_rows": RowsConfig,
    "sft_jsonl": SftConfig,
    "preference_jsonl": PreferenceConfig,
}
ASSETS = tuple(DEFAULTS)
