"""Graded agent simulations to validated training files."""

from whileai_export.export import (
    build_preference_pairs,
    export_dataset,
    export_preference,
    export_training,
    leak_report,
    loss_mask,
    save_simulation,
    to_trl,
    tool_call_roundtrip,
    training_rows,
)
from whileai_export.shared.errors import ExportError, GateError, OptionError, SourceError

__all__ = [
    "ExportError",
    "GateError",
    "OptionError",
    "SourceError",
    "build_preference_pairs",
    "export_dataset",
    "export_preference",
    "export_training",
    "leak_report",
    "loss_mask",
    "save_simulation",
    "to_trl",
    "tool_call_roundtrip",
    "training_rows",
]
