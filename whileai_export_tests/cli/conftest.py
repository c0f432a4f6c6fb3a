"""The sample simulations as files, as a user has them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from whileai_export.demo import Simulation, parcel_desk, workshop_desk


def as_file(simulation: Simulation, folder: Path) -> Path:
    file = folder / f"{simulation.name}.jsonl"
    rows = [json.dumps(row) for row in simulation.trajectories]
    file.write_text("\n".join(rows) + "\n", "utf-8")
    return file


@pytest.fixture
def clean(tmp_path: Path) -> Path:
    """48 rows of which none leaks."""
    return as_file(workshop_desk(), tmp_path)


@pytest.fixture
def leaking(tmp_path: Path) -> Path:
    """32 rows of which three leak."""
    return as_file(parcel_desk(), tmp_path)
