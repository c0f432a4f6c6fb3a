"""The report of a preference export."""

from __future__ import annotations

from typing import Any

from whileai_export.pipeline.duel import Sums
from whileai_export.pipeline.join import Join
from whileai_export.pipeline.pool import Pool
from whileai_export.pipeline.report import findings, leaks, roundtrip
from whileai_export.pipeline.warnings import gate_warnings, pair_warnings
from whileai_export.shared.findings import Gate
from whileai_export.shared.options import PairOptions, digest, plain
from whileai_export.shared.tally import Tally



def pair_report(
    options: PairOptions,
    tally: Tally,
    sums: Sums,
    join: Join,
    pool: Pool | None,
    refuses: frozenset[Gate],
) -> dict[str, Any]:
    """Everything that was counted, under the documented keys and the added ones."""
    made = join.tally
    unspoken = sum(sums.dropped.values()) if len(options.formats) == 1 else 0
    report: dict[str, Any] = {
        "pairs": sums.pairs,
        "format": options.formats[0] if len(options.formats) == 1 else list(options.formats),
        "tool_call_roundtrip": roundtrip(options, tally),
        "privileged_leaks": leaks(tally),
        "ties_dropped": made.filtered["tie"],
        "no_completion_dropped": max(made.filtered["no_completion"], unspoken),
        "equal_dropped": made.filtered["equal"],
        "dropped_by_format": dict(sums.dropped),
        "chosen_longer_frac": _share(sums.longer, sums.pairs),
        "first_turn_identical": sums.same_first_turn,
        "mean_margin": _share(sums.margin, sums.margins),
        "mixed_policies": sums.mixed_policies,
        "foreign_turns_in_completions": sums.foreign,
        "rewards": {"ungraded_by_kind": dict(tally.rewards)},
        "counts": _counts(tally, sums, pool),
        "repairs": dict(sorted((tally.repairs + made.repairs).items())),
        "columns_left_out": dict(sorted(made.columns_left_out.items())),
        "findings": findings(tally, join.job.gates, refuses),
        "options": plain(options),
        "options_digest": digest(options),
    }
    if pool is not None:
        report.update(pool.report(sums.pairs))
    report["warnings"] = [*pair_warnings(report, options), *gate_warnings(report)]
    return report


def _counts(tally: Tally, sums: Sums, pool: Pool | None) -> dict[str, Any]:
    """Rows where rows were paired, pairs where pairs came: what was read adds up."""
    filtered = dict(sorted(tally.filtered.items()))
    written = sums.pairs
    if pool is not None:
        written = 2 * sums.pairs
        rest = tally.read - tally.quarantined - written - sum(filtered.values())
        filtered["not_paired"] = rest
    return {
        "read": tally.read,
        "unrolled": 0,
        "written": written,
        "quarantined": tally.quarantined,
        "filtered": {reason: count for reason, count in filtered.items() if count},
        "refused": 0,
    }


def _share(part: float, whole: int) -> float | None:
    return round(part / whole, 6) if whole else None
