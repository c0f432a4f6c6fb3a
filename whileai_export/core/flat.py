"""Rows whose conversation and metadata stand as JSON text in columns, as tables keep them."""

from __future__ import annotations

from typing import Any

from whileai_export.core.repairs import added
from whileai_export.core.values import json_of, kind_of, placed, settle
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import NO_REPAIRS, ROW_DEPTH, JsonObject, Repairs

_COLUMNS = ("messages_json", "steps_json", "metadata_json")

#: What metadata says under these names is no conversation.
_NOT_METADATA = frozenset({"messages", "steps", "tool_trace"})


def is_flat(row: JsonObject) -> bool:
    """Whether a row has one of the columns that hold JSON text."""
    return (
        row.get("messages_json") is not None
        or row.get("steps_json") is not None
        or row.get("metadata_json") is not None
    )


def unfolded(row: JsonObject) -> tuple[JsonObject, Repairs]:
    """The row with its text columns decoded; metadata fills in what the row does not say."""
    (messages, mended), (steps, mended_too), (metadata, also) = (
        _decoded(row.get(column), column) for column in _COLUMNS
    )
    if metadata is not None and type(metadata) is not dict:
        raise BadRow(f"expected an object, got {kind_of(metadata)}", "$.metadata_json")
    whole = {key: value for key, value in (metadata or {}).items() if key not in _NOT_METADATA}
    whole |= {key: v for key, v in row.items() if v is not None and key not in _COLUMNS}
    conversation = {"messages": messages, "steps": steps}
    whole |= {name: value for name, value in conversation.items() if value is not None}
    return whole, added(added(mended, mended_too), also)


def _decoded(value: Any, column: str) -> tuple[Any, Repairs]:
    """The value of a text column, exactly: these texts are read once and trusted afterwards."""
    if value is None or value == "":
        return None, NO_REPAIRS
    if type(value) is not str:
        return value, NO_REPAIRS
    try:
        return settle(json_of(value), ROW_DEPTH)
    except ValueError as error:
        raise BadRow(str(error), f"$.{column}") from None
    except BadRow as bad:
        raise placed(bad, f"$.{column}") from None
