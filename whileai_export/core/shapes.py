"""Which shape a row has, and the formats that are refused by name."""

from __future__ import annotations

from whileai_export.core.flat import is_flat
from whileai_export.core.responses import is_responses
from whileai_export.core.training import is_training
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import JsonObject, Shape
from whileai_export.shared.trainer_rows import trainer_row

_SIGNS_OF_FORMATS = ("chosen", "rejected", "completion", "preferred_output")
_NO_SHAPE = (
    "expected a row with messages, steps, tool_trace, responses_create_params and response, "
    "or messages_json, got none of them"
)


def shape_of(row: JsonObject) -> Shape:
    """The first shape that fits; rows of a trainer's own format are no source."""
    if not row.keys().isdisjoint(_SIGNS_OF_FORMATS):
        _refuse_formats(row)
    if row.get("messages") is not None and is_training(row):
        return "training"
    if "responses_create_params" in row and is_responses(row):
        return "responses"
    return "flat" if is_flat(row) else conversation_shape(row)


def conversation_shape(row: JsonObject) -> Shape:
    """Where the conversation stands: messages, else steps, else a tool trace, the filled first."""
    if row.get("messages"):
        return "messages"
    for name, shape in _STEPS:
        if row.get(name):
            return shape
    for name, shape in _STEPS:
        if row.get(name) is not None:
            return shape
    if type(row.get("prompt")) is str and type(row.get("final_text")) is str:
        return "steps"
    if row.get("messages") is not None:
        return "messages"
    raise BadRow(_NO_SHAPE)


_STEPS: tuple[tuple[str, Shape], ...] = (("steps", "steps"), ("tool_trace", "platform"))


def _refuse_formats(row: JsonObject) -> None:
    found = trainer_row(row)
    if found is not None:
        raise BadRow(f"expected a trajectory, got {found}")
