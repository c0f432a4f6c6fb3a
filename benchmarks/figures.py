"""What the suite measured, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

from dagster_path import Orchestration
from measure import Timing


@dataclass(frozen=True, slots=True)
class Comparison:
    """Jobs by name (``floor``, ``peer trl``, ``ours trl 2``) on one simulation."""

    rows: int
    input_mb: float
    timings: dict[str, Timing]
    output_floors: dict[str, float]

    def kinds(self) -> list[str]:
        return list(self.output_floors)

    def ours(self, kind: str) -> dict[int, Timing]:
        """Our runs of one kind, by the number of workers."""
        names = {workers: f"ours {kind} {workers}" for workers in (1, 2)}
        return {n: self.timings[name] for n, name in names.items() if name in self.timings}


@dataclass(frozen=True, slots=True)
class Growth:
    """One export at one size."""

    rows: int
    kind: str
    workers: int
    timing: Timing


@dataclass(frozen=True, slots=True)
class Results:
    runs: int
    comparison: Comparison
    growth: list[Growth]
    long_task: list[Growth]
    profiles: dict[str, dict[str, dict[str, float]]]
    dagster: Orchestration
