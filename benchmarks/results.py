"""The targets met or not, and the page that shows every figure: ``RESULTS.md``."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from dataclasses import dataclass

import places
import tables
from figures import Comparison, Results

AGAINST_PEER = {1: 5.0, 2: 8.0}
FLOOR, PEAK_MB = 5.0, 120.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """One target of the contract and what was measured."""

    target: str
    measured: str
    met: bool

    def line(self) -> str:
        return f"{'met' if self.met else 'NOT MET'}: {self.target}: {self.measured}"


def all_verdicts(found: Results) -> list[Verdict]:
    comparison = found.comparison
    verdicts: list[Verdict] = []
    for kind in comparison.kinds():
        verdicts += _against_peer(comparison, kind)
        verdicts += _against_floor(comparison, kind)
        timings = comparison.ours(kind).values()
        same = frozenset[str]().union(*(timing.digests for timing in timings))
        target = f"{kind}: the same bytes in every run, whatever `workers` is"
        verdicts.append(Verdict(target, f"{len(same)} digest(s)", len(same) == 1))
    for step in found.growth:
        peak = step.timing.peak_mb
        target = f"{step.kind}, {step.rows:,} rows, workers={step.workers}: peak under 120 MB"
        verdicts.append(Verdict(target, f"{peak:.0f} MB", peak < PEAK_MB))
    return verdicts


def _against_peer(comparison: Comparison, kind: str) -> Iterator[Verdict]:
    peer = comparison.timings[f"peer {kind}"].seconds
    for workers, timing in comparison.ours(kind).items():
        least, ratio = AGAINST_PEER[workers], peer / timing.seconds
        target = f"{kind}, workers={workers}: at least {least:.0f} times the peer"
        yield Verdict(target, f"{ratio:.1f}x", ratio >= least)


def _against_floor(comparison: Comparison, kind: str) -> Iterator[Verdict]:
    seconds = comparison.ours(kind)[1].seconds
    floors = {
        "load and dump of the input": comparison.timings["floor"].seconds,
        "load of the input, dump of the output": comparison.output_floors[kind],
    }
    for name, floor in floors.items():
        target = f"{kind}: at most {FLOOR:.0f} times the floor ({name})"
        yield Verdict(target, f"{seconds / floor:.1f}x", seconds <= FLOOR * floor)


def verdicts(found: Results) -> str:
    return "\n".join(verdict.line() for verdict in all_verdicts(found))


def page(found: Results) -> str:
    """The whole of ``RESULTS.md``."""
    judged = all_verdicts(found)
    missed = sum(not verdict.met for verdict in judged)
    verdict_rows = [[v.target, v.measured, "met" if v.met else "**not met**"] for v in judged]
    comparison = found.comparison
    floors = [[kind, f"{seconds:.2f}"] for kind, seconds in comparison.output_floors.items()]
    parts = [
        "# Benchmark results",
        f"Written by `benchmarks/run`. Python {platform.python_version()}, {os.cpu_count()} cores, "
        f"{found.runs} run(s) of each job in alternation, whole processes, medians. The peer is "
        f"`{places.PEER}` in an environment of its own. Rows are generated from a seed.",
        "## Targets",
        f"{len(judged) - missed} met, {missed} not met.",
        tables.table(["target", "measured", ""], verdict_rows),
        f"## {comparison.rows:,} rows ({comparison.input_mb:.1f} MB) against the peer",
        tables.comparison_table(comparison),
        "The floor is an orjson load and dump of the input, a whole process. `pairs` is "
        "what `whileai-export preference` calls; the peer's is `build_preference_pairs` and "
        "`export_preference`, both with a margin of 1. The floor of the output is the load of "
        "the input and the dump of what was written, without the start of a process:",
        tables.table(["export", "seconds"], floors),
        "## Growth",
        tables.growth_table(found.growth),
        "## Pairs of one task",
        tables.growth_table(found.long_task),
        "## Through Dagster",
        tables.dagster_table(found.dagster),
        f"Peak memory of the run: {found.dagster.peak_mb:.0f} MB.",
    ]
    for kind, profile in found.profiles.items():
        parts += [f"## Profile: {kind}", tables.profile_tables(profile)]
    return "\n\n".join(parts) + "\n"
