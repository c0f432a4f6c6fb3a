"""Immutable versions of a dataset: cut, compared, verified, traced down to the row, made again."""

from __future__ import annotations

from whileai_export.versions.cut import Cut, cut
from whileai_export.versions.difference import diff
from whileai_export.versions.parts import Part
from whileai_export.versions.reproduce import reproduce
from whileai_export.versions.shelf import Shelf
from whileai_export.versions.split import Split
from whileai_export.versions.story import listed, show
from whileai_export.versions.tags import tag
from whileai_export.versions.trace import trace
from whileai_export.versions.verify import verify

__all__ = [
    "Cut",
    "Part",
    "Shelf",
    "Split",
    "cut",
    "diff",
    "listed",
    "reproduce",
    "show",
    "tag",
    "trace",
    "verify",
]
