"""Every measurement of ``benchmarks/run``, in order; writes ``RESULTS.md``."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import dagster_path
import figures
import places
import results
from measure import Command, Timing, alternate, once

QUICK_RUNS, FULL_RUNS = 1, 5
SMALL, MIDDLE, LARGE = 2_000, 20_000, 200_000
LONG_TASK = 10_000


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run of the suite is asked to do."""

    runs: int
    large: bool
    peer: str


def against_peer(plan: Plan) -> figures.Comparison:
    """The peer, ours and the floor on the same rows, in alternation."""
    source = places.simulation(MIDDLE)
    jobs: dict[str, tuple[Command, Path]] = {}

    def add(name: str, command: Command) -> None:
        jobs[name] = (command, places.output(name.replace(" ", "-")))

    add("floor", places.floor(source, places.output("floor")))
    for kind in places.KINDS:
        add(f"peer {kind}", places.peers(plan.peer, kind, source, places.output(f"peer-{kind}")))
        for workers in places.WORKER_COUNTS:
            name = f"ours {kind} {workers}"
            target = places.output(name.replace(" ", "-"))
            add(name, places.ours(kind, workers, source, target))
    timings = alternate(jobs, plan.runs)
    floors = {kind: output_floor(kind, source) for kind in places.KINDS}
    return figures.Comparison(MIDDLE, source.stat().st_size / 1e6, timings, floors)


def output_floor(kind: str, source: Path) -> float:
    """Seconds to load the input and to dump what we wrote of it."""
    written, target = places.output("written"), places.output("rewritten")
    subprocess.run(places.ours(kind, 1, source, written), check=True, capture_output=True)
    seconds = float(once(places.floor(source, target, written), target).said)
    written.unlink()
    return seconds


def growth(plan: Plan) -> list[figures.Growth]:
    """The same exports of ever more rows."""
    steps = []
    for rows in (SMALL, MIDDLE, LARGE) if plan.large else (SMALL, MIDDLE):
        source, target = places.simulation(rows), places.output("growth")
        for kind in places.KINDS:
            for workers in places.WORKER_COUNTS:
                sample = once(places.ours(kind, workers, source, target), target)
                print(f"  {rows} rows, {kind}, {workers}: {sample.seconds:.2f} s", flush=True)
                timing = Timing((sample,))
                steps.append(figures.Growth(rows, kind, workers, timing))
    return steps


def pairs_at_scale(plan: Plan) -> list[figures.Growth]:
    """One task with very many rollouts: the pairs of it must not cost their square."""
    steps = []
    for rows in (LONG_TASK // 10, LONG_TASK):
        source, target = places.simulation(rows, long_task=True), places.output("long-task")
        timing = alternate(
            {f"one task, {rows}": (places.ours("pairs", 1, source, target), target)}, 1
        )
        steps.append(figures.Growth(rows, "pairs of one task", 1, *timing.values()))
    return steps


def rooms(kind: str) -> dict[str, dict[str, float]]:
    """The profile of one export, by room and by function."""
    script = str(places.HERE / "hotspots.py")
    job = [sys.executable, script, str(MIDDLE), "--kind", kind, "--json"]
    shown = subprocess.run(job, check=True, capture_output=True, text=True).stdout
    profile: dict[str, dict[str, float]] = json.loads(shown)
    return profile


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="2,000 and 20,000 rows, one run")
    parser.add_argument("--runs", type=int, help=f"runs of each job ({FULL_RUNS})")
    parser.add_argument("--peer", help="an interpreter that has the peer; else one is installed")
    parser.add_argument("--output", type=Path, default=places.HERE / "RESULTS.md")
    given = parser.parse_args()
    places.measure_this_checkout()
    runs = given.runs or (QUICK_RUNS if given.quick else FULL_RUNS)
    plan = Plan(runs, not given.quick, places.peer_python(given.peer))
    found = figures.Results(
        runs=plan.runs,
        comparison=against_peer(plan),
        growth=growth(plan),
        long_task=pairs_at_scale(plan),
        profiles={kind: rooms(kind) for kind in ("openai", "pairs")},
        dagster=dagster_path.measured(MIDDLE, plan.runs),
    )
    given.output.write_text(results.page(found), encoding="utf-8")
    print(f"wrote {given.output.name}")
    print(results.verdicts(found))


if __name__ == "__main__":
    main()
