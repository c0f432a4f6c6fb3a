"""Which rows are held back for testing: whole tasks, and with them every task of the same ask."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from whileai_export.shared.errors import OptionError
from whileai_export.shared.schema import JsonObject

Side: TypeAlias = Literal["train", "test"]
_ALL = 1 << 64


@dataclass(frozen=True, slots=True)
class Split:
    """How a version is divided. ``test``: the share held back; none by default.

    A task is held back with that probability, and so is a group of tasks whatever its size.
    """

    test: float = 0.0

    def __post_init__(self) -> None:
        share = self.test
        number = isinstance(share, int | float) and not isinstance(share, bool)
        if not number or not 0 <= self.test < 1:
            raise OptionError(f"test_share: expected a share from 0 to below 1, got {share!r}")

    def plain(self) -> JsonObject:
        """As a manifest says it."""
        return {"test": float(self.test), "by": "sha256 of the task"}


def task_node(task: str) -> bytes:
    """A task as it stands in the groups."""
    return hashlib.sha256(task.encode("utf-8", "replace")).digest()[:8]


def ask_node(ask: bytes) -> bytes:
    """An ask as it stands in the groups."""
    return ask[:9]  # longer than a task's, so that the two never meet


@dataclass(slots=True)
class Groups:
    """Tasks and asks that belong together, because some row has both."""

    _above: dict[bytes, bytes] = field(default_factory=dict)
    _first: dict[bytes, str] = field(default_factory=dict)
    """The first task by name of every group that has tasks, under the root of the group."""

    def join(self, task: str | None, ask: bytes) -> None:
        """Some row has this task and this ask."""
        here = self._root(ask_node(ask))
        if task is None:
            return
        there = self._root(task_node(task))
        if here == there:
            return
        firsts = [self._first.pop(root) for root in (here, there) if root in self._first]
        self._above[there] = here
        self._first[here] = min([task, *firsts])

    def side(self, task: str | None, ask: bytes, split: Split) -> Side:
        """Where the rows of a task go: by the sha256 of the first task of its group by name.

        The least sha256 of a group would hold back nearly every large one.
        """
        root = self._root(ask_node(ask) if task is None else task_node(task))
        first = self._first.get(root)
        node = root if first is None else task_node(first)
        return "test" if int.from_bytes(node[:8], "big") < split.test * _ALL else "train"

    def _root(self, node: bytes) -> bytes:
        above = self._above
        while (parent := above.setdefault(node, node)) != node:
            above[node] = above.setdefault(parent, parent)
            node = parent
        return node


def groups_of(rows: Iterable[tuple[str | None, bytes]]) -> Groups:
    """The groups among rows, of which task and ask are known."""
    groups = Groups()
    for task, ask in rows:
        groups.join(task, ask)
    return groups
