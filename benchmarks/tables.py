"""Figures as Markdown tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dagster_path import Orchestration
from figures import Comparison, Growth
from measure import Timing

TOP_FUNCTIONS = 20


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def comparison_table(found: Comparison) -> str:
    floor = found.timings["floor"].seconds

    def cells(name: str, timing: Timing, peer: float | None) -> list[str]:
        seconds = timing.seconds
        ratio = f"{peer / seconds:.1f}x" if peer else "-"
        speed = f"{found.rows / seconds:,.0f}", f"{found.input_mb / seconds:.1f}"
        sizes = f"{timing.output_mb:.1f}", f"{timing.peak_mb:.0f}"
        floors = f"{seconds / floor:.1f}x"
        return [name, f"{seconds:.2f}", timing.spread, *speed, ratio, floors, *sizes]

    rows = [cells("floor", found.timings["floor"], None)]
    for kind in found.kinds():
        peer = found.timings[f"peer {kind}"]
        rows.append(cells(f"{kind}: peer", peer, None))
        for workers, timing in found.ours(kind).items():
            rows.append(cells(f"{kind}: ours, workers={workers}", timing, peer.seconds))
    head = ["job", "seconds", "min-max", "rows/s", "MB/s in", "against the peer"]
    return table([*head, "against the floor", "output MB", "peak MB"], rows)


def growth_table(steps: list[Growth]) -> str:
    rows = []
    for step in steps:
        seconds, timing = step.timing.seconds, step.timing
        each = f"{seconds / step.rows * 1e6:.0f}"
        cells = [step.kind, str(step.workers), f"{step.rows:,}", f"{seconds:.2f}", each]
        rows.append([*cells, f"{timing.output_mb:.1f}", f"{timing.peak_mb:.0f}"])
    head = ["export", "workers", "rows", "seconds", "microseconds a row", "output MB", "peak MB"]
    return table(head, rows)


def profile_tables(profile: dict[str, dict[str, float]]) -> str:
    whole = sum(profile["rooms"].values())
    parts = []
    for title, key in (("room", "rooms"), ("function", "functions")):
        dearest = list(profile[key].items())[:TOP_FUNCTIONS]
        rows = [[f"`{name}`", f"{seconds / whole:.1%}"] for name, seconds in dearest]
        parts.append(table([title, "share of the time"], rows))
    return "\n\n".join(parts)


def dagster_table(found: Orchestration) -> str:
    return table(
        ["path", "seconds"],
        [
            [f"bare library, {found.rows:,} rows, four processes", f"{found.bare:.2f}"],
            [f"`whileai-export run`, {found.rows:,} rows", f"{found.dagster:.2f}"],
            [f"the same with `--workers 2`, {found.rows:,} rows", f"{found.dagster_two:.2f}"],
            ["`whileai-export run`, 20 rows", f"{found.dagster_tiny:.2f}"],
            ["added by orchestration and its gates", f"{found.added:.2f}"],
        ],
    )
