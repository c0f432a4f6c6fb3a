"""Rows and schemas that are objects in memory, as the dictionaries they stand for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, is_dataclass


def plain_object(value: object) -> object:
    """A dictionary where the value is a mapping, a model or a dataclass; else the value itself."""
    if type(value) is dict:
        return value
    if isinstance(value, Mapping):
        return dict(value)
    for name in ("model_dump", "to_dict"):
        if callable(dump := getattr(value, name, None)) and not isinstance(value, type):
            return dump()
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return value
