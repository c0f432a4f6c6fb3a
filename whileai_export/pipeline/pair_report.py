"""The report of a preference export."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from whileai_export.pipeline import training
from whileai_export.pipeline.join import Join
from whileai_export.pipeline.pair_marks import MARGIN_UNIT
from whileai_export.pipeline.pool import Pool
from whileai_export.pipeline.report import counts, findings, leaks, roundtrip
from whileai_export.pipeline.warnings import column_warnings, gate_warnings, pair_warnings
from whileai_export.pipeline.written import NOT_WRITTEN
from whileai_export.shared.findings import Gate
from whileai_export.shared.options import PairOptions, digest, plain
from whileai_export.shared.tally import PairMarks, Tally


def pair_report(
    options: PairOptions, join: Join[PairMarks], pool: Pool | None, refusing: Sequence[Gate]
) -> dict[str, Any]:
    """Everything that was counted, under the documented keys and the added ones."""
    made, marks, written = join.tally, join.marks, join.written
    looked_at = made if pool is None else pool.tally
    repairs = made.repairs if pool is None else made.repairs + pool.tally.repairs
    report: dict[str, Any] = {
        "pairs": written,
        "format": options.formats[0] if len(options.formats) == 1 else list(options.formats),
        "tool_call_roundtrip": roundtrip(options, looked_at),
        "privileged_leaks": leaks(looked_at),
        "ties_dropped": made.filtered["tie"],
        "no_completion_dropped": _no_completion(options, made),
        "equal_dropped": made.filtered["equal"],
        "dropped_by_format": dict(sorted(made.unsaid.items())),
        "chosen_longer_frac": _share(marks.longer, written),
        "first_turn_identical": marks.same_first_turn,
        "backward": marks.backward,
        "mean_margin": _share(marks.margin * MARGIN_UNIT, marks.margins),
        "mixed_policies": marks.mixed_policies,
        "foreign_turns_in_completions": marks.foreign,
        "without_system": marks.without_system,
        "without_tools": marks.without_tools,
        "rewards": {"ungraded_by_kind": dict(looked_at.rewards)},
        "lengths": join.lengths.report(options.selection.max_tokens),
        "counts": _counts(made, written, pool),
        "duplicates": made.filtered["duplicate"],
        "repairs": dict(sorted(repairs.items())),
        "columns_left_out": dict(sorted(made.columns_left_out.items())),
        "findings": findings(
            looked_at, join.job.further_gates, frozenset(refusing), sides=pool is None
        ),
        "options": plain(options),
        "options_digest": digest(options),
        **NOT_WRITTEN,
    }
    if pool is not None:
        report.update(pool.report(written))
    report["training"] = {name: training.PAIRS[name] for name in options.formats}
    report["warnings"] = [
        *pair_warnings(report),
        *training.pair_advice(made.unsaid),
        *training.length_advice(report["lengths"], options.selection.max_tokens),
        *column_warnings(report, join),
        *gate_warnings(report),
    ]
    return report


def _no_completion(options: PairOptions, made: Tally) -> int:
    """Pairs that no format could express; of one format also what it alone could not."""
    whole = made.filtered["no_completion"]
    return whole + (sum(made.unsaid.values()) if len(options.formats) == 1 else 0)


def _counts(made: Tally, written: int, pool: Pool | None) -> dict[str, Any]:
    """Rows where rows were paired, pairs where pairs came: what was read adds up."""
    if pool is None:
        return counts(made, written, made.filtered)
    tally, sides = pool.tally, 2 * written
    rest = tally.read - tally.quarantined - sum(tally.filtered.values())
    return counts(tally, sides, {**tally.filtered, "not_paired": rest - sides})


def _share(part: float, whole: int) -> float | None:
    return round(part / whole, 6) if whole else None
