"""What is said of simulations under a home that no dataset of its export.toml takes."""

from __future__ import annotations

from collections.abc import Sequence

#: Names in the sentence; the rest are counted.
NAMED = 5


def not_taken(names: Sequence[str], patterns: Sequence[str]) -> str:
    """Which they are, which names the datasets take, and what helps."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    said = f"no dataset takes {', '.join(names[:NAMED])}{more}"
    taken = ", ".join(dict.fromkeys(patterns))
    helps = "a wider `simulations` there, or a [dataset.NAME] of their own, exports them"
    return f"{said}: export.toml names {taken}; {helps}"
