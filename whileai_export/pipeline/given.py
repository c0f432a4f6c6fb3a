"""What an export is given beside its source, its targets and its options."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from whileai_export.pipeline.job import Adapter
from whileai_export.pipeline.outcome import Target
from whileai_export.shared.findings import Gate
from whileai_export.shared.schema import JsonObject
from whileai_export.shared.watching import Watcher

if TYPE_CHECKING:
    from concurrent.futures import Executor


class Given(TypedDict, total=False):
    """Keywords that every export takes; each may be left out."""

    quarantine: Target | None
    """Where rows go that are set aside."""
    simulation: str
    """Where the rows come from; a part of every ``row_id``."""
    system_prompt: str | None
    """Of all rows, in the place of their own."""
    tools: list[JsonObject] | None
    """Of all rows, in the place of their own."""
    adapter: Adapter | str | None
    """Row to row, before anything is read in it."""
    gates: tuple[Gate, ...]
    """Warning gates to run beside those that always do."""
    holdout: frozenset[bytes]
    """Tasks and asks of the evaluation files."""
    workers: int
    executor: Executor | None
    progress: Watcher | None
    """Told after every chunk."""


NOTHING: Given = {}


def known(given: Given) -> Given:
    """The same keywords; ``TypeError`` for one that no export takes."""
    unknown = sorted(given.keys() - Given.__annotations__.keys())
    if unknown:
        raise TypeError(f"unexpected keyword arguments: {', '.join(unknown)}")
    return given
