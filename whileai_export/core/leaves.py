"""The values of a JSON tree, each with its path."""

from __future__ import annotations

from typing import Any

_TREES = (dict, list)
_LONGEST_NAME = 40


def leaves(tree: object, at: str) -> list[tuple[str, Any]]:
    """Every value that is no object and no list; a long key shows its number only."""
    if isinstance(tree, dict):
        before = f"{at}." if at else ""
        branches = [
            (before + (key if len(key) <= _LONGEST_NAME else f"<key {n}>"), value)
            for n, (key, value) in enumerate(tree.items())
        ]
    elif isinstance(tree, list):
        branches = [(f"{at}[{n}]", value) for n, value in enumerate(tree)]
    else:
        return [(at, tree)]
    found = []
    for branch in branches:
        if isinstance(branch[1], _TREES):
            found += leaves(branch[1], branch[0])
        else:
            found.append(branch)
    return found
