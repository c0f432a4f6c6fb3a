"""Whole processes, timed from outside: wall seconds and the largest process's peak memory."""

from __future__ import annotations

import hashlib
import os
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

POLL_SECONDS = 0.1
LIMIT_SECONDS = 1800

Command = Sequence[str]


@dataclass(frozen=True, slots=True)
class Sample:
    """One run of one process."""

    seconds: float
    peak_mb: float
    output_mb: float = 0.0
    sha256: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True)
class Timing:
    """The runs of one job; every figure is a median unless it says otherwise."""

    samples: tuple[Sample, ...]

    @property
    def seconds(self) -> float:
        return statistics.median(sample.seconds for sample in self.samples)

    @property
    def spread(self) -> str:
        seconds = [sample.seconds for sample in self.samples]
        return f"{min(seconds):.2f}-{max(seconds):.2f}"

    @property
    def peak_mb(self) -> float:
        """The worst peak of all runs."""
        return max(sample.peak_mb for sample in self.samples)

    @property
    def output_mb(self) -> float:
        return self.samples[0].output_mb

    @property
    def digests(self) -> frozenset[str]:
        return frozenset(sample.sha256 for sample in self.samples)


def once(command: Command, output: Path | None = None) -> Sample:
    """Run a command to its end; what it wrote to ``output`` is measured and deleted."""
    with tempfile.TemporaryFile("w+b") as said, tempfile.TemporaryFile("w+b") as errors:
        start = time.perf_counter()
        child = subprocess.Popen(command, stdout=said, stderr=errors, start_new_session=True)
        watch = MemoryWatch(child.pid)
        limit = threading.Timer(LIMIT_SECONDS, child.kill)
        limit.start()
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
        limit.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        peak_kb = max(usage.ru_maxrss, watch.stop())
        if child.returncode != 0:
            errors.seek(0)
            last = errors.read().decode(errors="replace").strip()[-2000:]
            raise RuntimeError(f"exit {child.returncode}: {' '.join(command)}\n{last}")
        said.seek(0)
        words = said.read().decode(errors="replace").strip()
    size, digest = _take(output) if output else (0.0, "")
    return Sample(seconds, peak_kb * 1024 / 1e6, size, digest, words)


def alternate(jobs: Mapping[str, tuple[Command, Path]], runs: int) -> dict[str, Timing]:
    """Every job once, then every job again: a slow minute falls on all of them."""
    samples: dict[str, list[Sample]] = {name: [] for name in jobs}
    for turn in range(runs):
        for name, (command, output) in jobs.items():
            samples[name].append(once(command, output))
            print(f"  run {turn + 1}: {name}: {samples[name][-1].seconds:.2f} s", flush=True)
    return {name: Timing(tuple(taken)) for name, taken in samples.items()}


def _take(output: Path) -> tuple[float, str]:
    with output.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    size = output.stat().st_size / 1e6
    output.unlink()
    return size, digest


class MemoryWatch:
    """The highest VmHWM of any process in a session, polled; workers are in it."""

    def __init__(self, session: int) -> None:
        self._session = session
        self._peak_kb = 0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._poll, daemon=True)
        self._thread.start()

    def stop(self) -> int:
        self._done.set()
        self._thread.join()
        return self._peak_kb

    def _poll(self) -> None:
        while not self._done.wait(POLL_SECONDS):
            for process in Path("/proc").glob("[0-9]*"):
                self._peak_kb = max(self._peak_kb, _peak_kb(process, self._session))


def _peak_kb(process: Path, session: int) -> int:
    try:
        after_name = (process / "stat").read_text().rpartition(")")[2].split()
        if int(after_name[3]) != session:
            return 0
        lines = (process / "status").read_text().splitlines()
    except (OSError, IndexError, ValueError):
        return 0  # the process ended between two looks
    return next((int(line.split()[1]) for line in lines if line.startswith("VmHWM")), 0)
