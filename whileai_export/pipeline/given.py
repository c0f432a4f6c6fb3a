"""What an export is given beside its source, its targets and its options."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias, TypedDict

from whileai_export.pipeline.job import Adapter
from whileai_export.pipeline.outcome import Target
from whileai_export.shared.findings import Gate
from whileai_export.shared.schema import JsonObject

if TYPE_CHECKING:
    from concurrent.futures import Executor

#: Called after every chunk with rows done, bytes done and bytes in all. Where nobody knows how
#: many bytes there are, as in memory and in packed files, these are 0 and None.
Progress: TypeAlias = Callable[[int, int, int | None], None]


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
    progress: Progress | None


NOTHING: Given = {}


def known(given: Given) -> Given:
    """The same keywords; ``TypeError`` for one that no export takes."""
    unknown = sorted(given.keys() - Given.__annotations__.keys())
    if unknown:
        raise TypeError(f"unexpected keyword arguments: {', '.join(unknown)}")
    return given
