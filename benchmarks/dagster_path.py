"""A partition's four assets through Dagster, against the same files from the bare library."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
from dataclasses import dataclass
from pathlib import Path

import places
from measure import once

TINY = 20
FORMATS = ("openai", "trl")


@dataclass(frozen=True, slots=True)
class Orchestration:
    """Median seconds of each way to the same files."""

    rows: int
    bare: float
    dagster: float
    dagster_two: float
    """The same with two workers a step."""
    dagster_tiny: float
    peak_mb: float

    @property
    def added(self) -> float:
        return self.dagster - self.bare


def bare(source: Path) -> float:
    """Two SFT files and two preference files, one process each."""
    seconds = 0.0
    for name in FORMATS:
        for verb in ("export", "preference"):
            target = places.output(f"bare-{verb}-{name}")
            command = [*places.command_line(), verb, str(source), "-o", str(target)]
            seconds += once([*command, "--format", name], target).seconds
    return seconds


def orchestrated(source: Path, workers: int = 1) -> tuple[float, float]:
    """Seconds and peak megabytes of ``whileai-export run`` in a home of its own."""
    home = places.CACHE / "home"
    shutil.rmtree(home, ignore_errors=True)
    os.environ["WHILEAI_EXPORT_HOME"] = str(home)
    try:
        add = [*places.command_line(), "add", str(source), "--name", "bench"]
        subprocess.run(add, check=True, capture_output=True)
        sample = once([*places.command_line(), "run", "bench", "--workers", str(workers)])
    finally:
        del os.environ["WHILEAI_EXPORT_HOME"]
        shutil.rmtree(home, ignore_errors=True)
    return sample.seconds, sample.peak_mb


def measured(rows: int, runs: int) -> Orchestration:
    source, tiny = places.simulation(rows), places.simulation(TINY)
    bares, full, two, peaks, small = [], [], [], [], []
    for _ in range(runs):
        bares.append(bare(source))
        seconds, peak = orchestrated(source)
        full.append(seconds)
        two.append(orchestrated(source, workers=2)[0])
        peaks.append(peak)
        small.append(orchestrated(tiny)[0])
    median = statistics.median
    each = map(median, (bares, full, two, small))
    return Orchestration(rows, *each, max(peaks))
