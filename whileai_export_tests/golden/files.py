"""What the golden files are made of."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from whileai_export import build_preference_pairs, export_dataset, export_preference
from whileai_export.pipeline.preference import write_pairs
from whileai_export.pipeline.sft import stage_training_rows, write_sft
from whileai_export.shared.careful import CAREFUL_PAIRS, CAREFUL_SFT
from whileai_export.shared.options import PREFERENCE_FORMATS
from whileai_export.shared.schema import WireFormat

FOLDER = Path(__file__).parent
SOURCE = FOLDER / "source.jsonl"
FORMATS = get_args(WireFormat)

#: What is asked of the library, by the name of the file that comes of it.
SFT: dict[str, dict[str, Any]] = {
    **{f"sft.{name}.jsonl": {"format": name} for name in FORMATS},
    "sft-final.openai.jsonl": {"mask_mode": "final"},
    "sft-unrolled.openai.jsonl": {"unroll": True},
    "sft-capped.trl.jsonl": {"format": "trl", "max_tool_output_chars": 6, "strip_think": False},
}
PAIRS: dict[str, dict[str, Any]] = {
    f"preference.{name}.jsonl": {"format": name} for name in PREFERENCE_FORMATS
}
CASES = [*SFT, *PAIRS, "staged.trl.jsonl", "careful-sft.trl.jsonl", "careful-preference.trl.jsonl"]


def made(name: str, folder: Path) -> bytes:
    """The bytes of one case, written anew."""
    output = folder / name
    if name in SFT:
        export_dataset(SOURCE, output, **SFT[name])
    elif name in PAIRS:
        pairs, _ = build_preference_pairs(SOURCE)
        around = json.loads(SOURCE.with_name("source.meta.json").read_text("utf-8"))
        export_preference(pairs, output, **around, **PAIRS[name])
    else:
        _careful(name, output)
    return output.read_bytes()


def _careful(name: str, output: Path) -> None:
    staged = output.with_name("rows.jsonl")
    with stage_training_rows(SOURCE, staged, simulation="night-7") as outcome:
        outcome.publish()
    if name == "staged.trl.jsonl":
        staged.rename(output)
        return
    write, options = (write_sft, CAREFUL_SFT) if "sft" in name else (write_pairs, CAREFUL_PAIRS)
    trl = replace(options, formats=("trl",))  # type: ignore[type-var]
    with write(staged, {"trl": output}, options=trl, simulation="night-7") as outcome:
        outcome.publish()
