"""How many there are, in a sentence that is right for one of them too."""

from __future__ import annotations


def counted(n: int, one: str, many: str = "") -> str:
    """``1 row``, ``1,164 calls``; ``many`` where an s at the end is not all the difference."""
    return f"{n:,} {agreeing(n, one, many or f'{one}s')}"


def agreeing(n: int, one: str, many: str) -> str:
    """The word that goes with so many: ``has`` with 1, ``have`` with any other number."""
    return one if n == 1 else many
