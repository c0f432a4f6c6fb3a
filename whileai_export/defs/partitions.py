"""One simulation is one partition; its key is the simulation's name."""

from __future__ import annotations

import dagster as dg

SIMULATION = "simulation"


def by_simulation(dataset: str | None = None) -> dg.DynamicPartitionsDefinition:
    """The partitions of one dataset: ``simulation``, or ``<dataset>_simulation``."""
    return dg.DynamicPartitionsDefinition(name=f"{dataset}_{SIMULATION}" if dataset else SIMULATION)
