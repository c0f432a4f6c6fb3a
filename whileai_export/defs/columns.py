"""Column schema and column lineage, derived from the columns that were written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import dagster as dg

from whileai_export.defs.dataset import Dataset
from whileai_export.shared.meanings import meaning

UPSTREAM = {
    "training_rows": "graded_simulations",
    "sft_jsonl": "training_rows",
    "preference_jsonl": "training_rows",
}
_CONVERSATION = ("messages", "steps", "prompt", "final_text")
#: Columns made of columns with other names; any other column comes from its namesake.
_MADE_OF: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "training_rows": {
        "messages": _CONVERSATION,
        "loss_mask": _CONVERSATION,
        "prompt_text": ("prompt",),
        "task": ("scenario_id", "task_id", "prompt"),
        "row_id": ("scenario_id", "rollout_index"),
        "group_id": ("scenario_id", "task_id", "prompt"),
        **dict.fromkeys(("k", "n0", "n1", "reward_mean", "reward_std"), ("reward",)),
    },
    "sft_jsonl": {
        "prompt": ("prompt_text",),
        "completion": ("messages",),
        "loss_mask": ("messages", "loss_mask"),
        "label": ("reward",),
        "row_id": ("row_id",),
    },
    "preference_jsonl": {
        **dict.fromkeys(
            ("prompt", "chosen", "rejected", "preferred_output", "non_preferred_output"),
            ("messages",),
        ),
        "input": ("messages", "tools"),
        **dict.fromkeys(("chosen_score", "rejected_score", "margin", "tie"), ("reward",)),
        **dict.fromkeys(("chosen_model", "rejected_model", "same_policy"), ("model_version",)),
        **dict.fromkeys(("length_delta", "first_turn_differs"), ("messages",)),
        **dict.fromkeys(("chosen_reason", "rejected_reason"), ("reason",)),
        "rejected_failure_class": ("failure_class",),
    },
}


def column_metadata(
    dataset: Dataset, asset: str, outputs: Iterable[Mapping[str, Any]]
) -> dict[str, Any]:
    """The columns of all formats with their types, and the upstream columns they come from."""
    kinds: dict[str, list[str]] = {}
    formats: dict[str, list[str]] = {}
    for output in outputs:
        for name, found in output["columns"].items():
            kinds.setdefault(name, [k for k in found if k != "null"] or ["null"])
            formats.setdefault(name, []).append(output["format"])
    if not kinds:
        return {}
    columns = [
        dg.TableColumn(name, " | ".join(kind), description=_told(name, kind, formats[name]))
        for name, kind in kinds.items()
    ]
    upstream = dataset.key(UPSTREAM[asset])
    lineage = {
        name: [dg.TableColumnDep(upstream, source) for source in _sources(asset, name)]
        for name in kinds
    }
    return {
        "dagster/column_schema": dg.TableSchema(columns=columns),
        "dagster/column_lineage": dg.TableColumnLineage(deps_by_column=lineage),
    }


def _told(name: str, kinds: list[str], formats: list[str]) -> str:
    said = meaning(name, kinds[0])
    return f"{said}; " * bool(said) + f"in {', '.join(formats)}"


def _sources(asset: str, column: str) -> tuple[str, ...]:
    plain = column.removeprefix("meta_")
    return _MADE_OF[asset].get(plain, (plain,))
