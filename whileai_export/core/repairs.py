"""Counts of what was mended, and their sums."""

from __future__ import annotations

from whileai_export.shared.schema import NO_REPAIRS, Repairs


def added(one: Repairs, other: Repairs) -> Repairs:
    """The sum of two counts."""
    if not other:
        return one
    if not one:
        return other
    both = dict(one)
    for kind, count in other.items():
        both[kind] = both.get(kind, 0) + count
    return both


def total(*parts: Repairs) -> Repairs:
    """The sum of many counts, most of them empty."""
    counted = NO_REPAIRS
    for part in parts:
        if part:
            counted = added(counted, part)
    return counted
