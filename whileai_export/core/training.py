"""Rows that are training rows already: themselves, with the mask they came with."""

from __future__ import annotations

from collections.abc import Sequence

from whileai_export.core.values import kind_of
from whileai_export.shared.counted import counted
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import (
    GROUP_FIELDS,
    NO_REPAIRS,
    JsonObject,
    Message,
    Repairs,
)

_NUMBER = (float, int)
#: The columns that exporters add, and the types they write.
_TYPES: dict[str, tuple[type, ...]] = {
    "task": (str,),
    "row_id": (str,),
    "unroll": (dict,),
    "tool_output_truncated": (int,),
    "tool_output_chars_cut": (int,),
    "group_id": (str,),
    "k": (int,),
    "n0": (int,),
    "n1": (int,),
    "reward_mean": _NUMBER,
    "reward_std": _NUMBER,
}

_ALWAYS_IN_GROUP = frozenset({"group_id", "k", "n0", "n1"})


def is_training(row: JsonObject) -> bool:
    """Whether a row that has messages came out of an exporter."""
    return row.get("loss_mask") is not None or row.get("prompt_text") is not None


def read_mask(mask: object, turns: Sequence[Message]) -> list[int] | None:
    """The mask of a row: 0 or 1 for a turn of the assistant, 0 for others; None without one."""
    if mask is None:
        return None
    if type(mask) is not list:
        raise BadRow(f"expected a list of 0 and 1, got {kind_of(mask)}", "$.loss_mask")
    if len(mask) != len(turns):
        expected = counted(len(turns), "entry", "entries")
        problem = f"expected {expected}, one a turn, got {len(mask)}"
        raise BadRow(problem, "$.loss_mask")
    for n, entry in enumerate(mask):
        if type(entry) is not int or entry not in (0, 1):
            raise BadRow("expected 0 or 1, got something else", f"$.loss_mask[{n}]")
        if entry and turns[n]["role"] != "assistant":
            got = f"got it on a {turns[n]['role']} turn"
            raise BadRow(f"expected loss on turns of the assistant, {got}", f"$.loss_mask[{n}]")
    return mask


def mask_under_system(mask: list[int], turns: int) -> list[int]:
    """The mask after a system prompt took its place at the start and made ``turns`` of the row."""
    return mask if turns == len(mask) else [0, *mask[len(mask) - turns + 1 :]]


def with_sound_columns(columns: JsonObject) -> tuple[JsonObject, Repairs]:
    """The columns without those that no exporter writes; a group's fields come all or none."""
    wrong = {n for n, types in _TYPES.items() if n in columns and type(columns[n]) not in types}
    if not _ALWAYS_IN_GROUP.issubset(columns) or not wrong.isdisjoint(GROUP_FIELDS):
        wrong.update(name for name in GROUP_FIELDS if name in columns)
    if not wrong:
        return columns, NO_REPAIRS
    kept = {name: value for name, value in columns.items() if name not in wrong}
    return kept, {"export_columns_left_out": len(wrong)}


def read_source_line(row: JsonObject) -> int | None:
    """The line of the source that a staged row came from."""
    line = row.get("source_line")
    return line if type(line) is int else None
