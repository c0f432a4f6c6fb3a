"""Where the time goes: ``python benchmarks/hotspots.py [ROWS] [--kind openai] [--json]``.

A profiled run of one export, summed by room and by function. Time in C functions and in the
standard library belongs to the room that called them. The profiler makes small Python calls
look dearer than they are: read shares, not seconds.
"""

from __future__ import annotations

import argparse
import contextlib
import cProfile
import json
import pstats
import runpy
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import places

Function = tuple[str, int, str]
Stats = dict[Function, Any]
PACKAGE = "whileai_export"
OUTSIDE = "outside"
SELF_SECONDS, TOTAL_SECONDS, CALLERS = 2, 3, 4


@dataclass(frozen=True, slots=True)
class Profile:
    """Seconds by room and by the package's own functions, dearest first."""

    rooms: dict[str, float]
    functions: dict[str, float]


def room_of(function: Function) -> str | None:
    """The folder under the package, or the file where it stands at the top."""
    parts = Path(function[0]).parts
    if PACKAGE not in parts:
        return None
    below = parts[len(parts) - parts[::-1].index(PACKAGE) :]
    return below[0].removesuffix(".py") if below else None


def name_of(function: Function) -> str:
    parts = Path(function[0]).parts
    below = parts[len(parts) - parts[::-1].index(PACKAGE) :]
    return f"{'/'.join(below)}:{function[2]}"


class Attribution:
    """Hands the time of a foreign function to the functions of ours that called it."""

    def __init__(self, stats: Stats) -> None:
        self._stats = stats
        self._known: dict[Function, dict[Function, float]] = {}

    def shares(self, function: Function) -> dict[Function, float]:
        """Our functions that stand behind this one, with their parts of its time."""
        if room_of(function) is not None:
            return {function: 1.0}
        if function in self._known:
            return self._known[function]
        self._known[function] = {}  # a foreign cycle adds nothing
        callers = self._stats[function][CALLERS] if function in self._stats else {}
        whole = sum(call[SELF_SECONDS] for call in callers.values())
        found: dict[Function, float] = defaultdict(float)
        for caller, call in callers.items():
            part = call[SELF_SECONDS] / whole if whole else 1 / len(callers)
            for owner, share in self.shares(caller).items():
                found[owner] += part * share
        self._known[function] = dict(found)
        return self._known[function]


def summed(stats: Stats) -> Profile:
    """Self time, each foreign second at the door of its caller."""
    attribution = Attribution(stats)
    rooms: dict[str, float] = defaultdict(float)
    functions: dict[str, float] = defaultdict(float)
    for function, entry in stats.items():
        seconds, left = entry[SELF_SECONDS], 1.0
        for owner, share in attribution.shares(function).items():
            rooms[room_of(owner) or OUTSIDE] += seconds * share
            functions[name_of(owner)] += seconds * share
            left -= share
        rooms[OUTSIDE] += seconds * max(0.0, left)
    return Profile(_dearest(rooms), _dearest(functions))


def profiled(kind: str, rows: int) -> Profile:
    """One export in this process, under the profiler."""
    source, target = places.simulation(rows), places.output("profiled")
    command = places.ours(kind, 1, source, target)
    script = command[1:] if command[0] == sys.executable else command
    sys.argv = script[1:] if script[0] == "-m" else script
    profiler = cProfile.Profile()
    with contextlib.redirect_stdout(sys.stderr):
        try:
            if script[0] == "-m":
                profiler.runcall(runpy.run_module, script[1], run_name="__main__")
            else:
                profiler.runcall(runpy.run_path, script[0], run_name="__main__")
        except SystemExit as end:
            if end.code:
                raise
    target.unlink(missing_ok=True)
    return summed(pstats.Stats(profiler).stats)  # type: ignore[attr-defined]


def _dearest(seconds: dict[str, float]) -> dict[str, float]:
    return dict(sorted(seconds.items(), key=lambda item: -item[1]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=int, nargs="?", default=20_000)
    parser.add_argument("--kind", choices=places.KINDS, default="openai")
    parser.add_argument("--json", action="store_true", help="one JSON object, for machines")
    given = parser.parse_args()
    sys.path.insert(0, str(places.HERE.parent))
    profile = profiled(given.kind, given.rows)
    if given.json:
        print(json.dumps({"rooms": profile.rooms, "functions": profile.functions}))
        return
    for title, table in (("room", profile.rooms), ("function", profile.functions)):
        whole = sum(profile.rooms.values())
        print(f"\nseconds  share  {title}")
        for name, seconds in list(table.items())[:40]:
            print(f"{seconds:7.2f}  {seconds / whole:5.1%}  {name}")


if __name__ == "__main__":
    main()
