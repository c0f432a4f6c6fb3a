"""What is damaged: the real samples where they are, else the project's own simulations."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from whileai_export.demo import parcel_desk, workshop_desk
from whileai_export_tests.fuzz import shapes
from whileai_export_tests.fuzz.words import CANARY

SAMPLES = Path(__file__).parents[3] / "shared" / "samples"

Row = dict[str, Any]


@cache
def simulations() -> tuple[tuple[str, ...], ...]:
    """Lists of rows, as JSON text; the rollouts of a task stand together."""
    real = [_read(path) for path in sorted(SAMPLES.rglob("*.jsonl"))]
    made = real or [desk().trajectories for desk in (parcel_desk, workshop_desk)]
    return tuple(
        tuple(json.dumps(_with_canary(row)) for row in sorted(rows, key=_task))
        for rows in [*made, *(3 * shapes.rows())]
    )


def origin() -> str:
    """Which of the two it is."""
    return "the real samples" if SAMPLES.is_dir() else "the demo's simulations"


def _read(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line.strip()]


def _task(row: Row) -> str:
    return str(row.get("scenario_id", ""))


def _with_canary(row: Row) -> Row:
    block = row.get("privileged") or {}
    return {**row, "privileged": {**block, "canary": CANARY}}
