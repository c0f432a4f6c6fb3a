"""How long the rows are: percentiles over an export."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
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
    ranked = array("q", sorted(values))
    last = len(ranked) - 1
    told = {f"p{p}": ranked[min(last, -(-p * len(ranked) // 100) - 1)] for p in (50, 90, 99)}
    return {**told, "max": ranked[last]}
