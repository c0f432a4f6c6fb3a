"""``python -m whileai_export_tests.fuzz``: counts, the first failures, and an exit code."""

from __future__ import annotations

import argparse
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from random import Random

from whileai_export_tests.fuzz import corpus
from whileai_export_tests.fuzz.mutant import mutant
from whileai_export_tests.fuzz.trial import Attempt, Trial

BATCH = 50
SECONDS_A_MUTANT = 30
SHOWN = 20


def one(seed: int, number: int, folder: Path) -> Trial:
    """One mutant, in a folder that is empty before and after."""
    signal.alarm(SECONDS_A_MUTANT)
    try:
        return Attempt(mutant(seed, number), folder, Random(f"{seed}:{number}:options")).run()
    except TimeoutError:
        problem = f"mutant {number}, slow: more than {SECONDS_A_MUTANT} s"
        return Trial(failures=[problem])
    finally:
        signal.alarm(0)
        for path in folder.iterdir():
            path.unlink()


def batch(seed: int, until: float, numbers: range) -> Trial:
    """Some mutants, unless there is no time left."""
    signal.signal(signal.SIGALRM, _too_slow)
    memory = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(prefix="fuzz.", dir=memory if memory.is_dir() else None))
    trial = Trial()
    try:
        for number in numbers:
            if time.monotonic() > until:
                break
            trial += one(seed, number, folder)
            trial.counts["mutants"] += 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return trial


def run(seed: int, first: int, mutants: int, workers: int, seconds: float) -> Iterator[Trial]:
    """Every mutant of a range, some at a time."""
    end = first + mutants
    ranges = [range(start, min(end, start + BATCH)) for start in range(first, end, BATCH)]
    work = partial(batch, seed, time.monotonic() + seconds)
    corpus.simulations()
    if workers == 1:
        yield from map(work, ranges)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(work, ranges)


def show(failures: list[str], seed: int, shown: set[str]) -> None:
    """The first failure of each kind, as soon as it is known, with how to see it again."""
    for failure in failures:
        mutant_, _, kind = failure.partition(", ")
        if kind not in shown and len(shown) < SHOWN:
            shown.add(kind)
            number = mutant_.removeprefix("mutant ")
            print(f"{failure}\n  again: --seed {seed} --first {number} --mutants 1", flush=True)


def closing(trial: Trial, seed: int, asked: int, seconds: float) -> str:
    """What came of it, in one line."""
    told = trial.counts
    short = "" if told["mutants"] == asked else f" of {asked}, then the time was up"
    return (
        f"{told['mutants']:,} mutants{short}, seed {seed}: {told['exports']:,} exports, "
        f"{told['passed']:,} passed, {told['refused']:,} refused, {told['foreign']} foreign "
        f"exceptions, {told['invalid']} invalid outputs, {seconds:.0f} s"
    )


def main(arguments: list[str] | None = None) -> int:
    """0: nothing that must not happen; 1: something; 2: the time was up."""
    parser = argparse.ArgumentParser("python -m whileai_export_tests.fuzz", description=__doc__)
    parser.add_argument("--mutants", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first mutant")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3000, help="no new mutant after these")
    given = parser.parse_args(arguments)
    began = time.monotonic()
    print(f"damaging {corpus.origin()}", flush=True)
    trial, shown = Trial(), set[str]()
    for part in run(given.seed, given.first, given.mutants, given.workers, given.seconds):
        trial += part
        show(part.failures, given.seed, shown)
    print(closing(trial, given.seed, given.mutants, time.monotonic() - began))
    if trial.failures:
        return 1
    return 0 if trial.counts["mutants"] == given.mutants else 2


def _too_slow(*_: object) -> None:
    raise TimeoutError


if __name__ == "__main__":
    sys.exit(main())
