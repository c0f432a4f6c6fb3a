"""How long the rows are: percentiles over an export."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any


@dataclass(slots=True)
class Lengths:
    """One entry a written row; tokens only where a tokenizer measured them."""

    characters: array[int] = field(default_factory=lambda: array("q"))
    tokens: array[int] = field(default_factory=lambda: array("q"))

    def take(self, characters: Sequence[int], tokens: Sequence[int]) -> None:
        """The rows of one more part."""
        self.characters.extend(characters)
        if any(tokens):
            self.tokens.extend(tokens)

    def report(self, max_tokens: int | None) -> dict[str, Any]:
        """Percentiles, and how many rows are longer than they should be."""
        told: dict[str, Any] = {"characters": percentiles(self.characters), "tokens": None}
        if self.tokens:
            told["tokens"] = percentiles(self.tokens)
        if max_tokens is not None:
            told["past_max_tokens"] = sum(tokens > max_tokens for tokens in self.tokens)
        return told


def percentiles(values: Sequence[int]) -> dict[str, int] | None:
    """p50, p90, p99 and the greatest, each one of the values; None where there is none."""
    if not values:
        return None
    # Many rows are of one length: counted, they take less room than sorted.
    counts = Counter(values)
    lengths = sorted(counts)
    reached = list(accumulate(counts[length] for length in lengths))
    ranks = {f"p{p}": -(-p * len(values) // 100) for p in (50, 90, 99)}
    told = {name: lengths[bisect_left(reached, rank)] for name, rank in ranks.items()}
    return {**told, "max": lengths[-1]}
