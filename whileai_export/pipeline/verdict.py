"""What is done about findings is said here, once."""

from __future__ import annotations

from typing import Any

from whileai_export.pipeline.job import Job
from whileai_export.pipeline.watch import refusing
from whileai_export.shared.errors import ExportError, GateError, OptionError, SourceError
from whileai_export.shared.findings import Finding, Gate
from whileai_export.shared.options import SftOptions
from whileai_export.shared.tally import Tally

CODES: dict[Gate, str] = {
    "tool_call_roundtrip": "tool_call_roundtrip_invalid",
    "privileged_leak": "privileged_leak",
    "structure": "structure_invalid",
    "holdout": "holdout",
    "secrets": "secrets",
    "reload": "reload",
}


def verdict(report: dict[str, Any], job: Job, tally: Tally) -> ExportError | None:
    """Why nothing may be written, or None."""
    for gate in refusing(job):
        seen = tally.seen.get(gate)
        if seen is None or not seen.count:
            continue
        if gate == "readable":
            first = seen.named[0]
            return SourceError(first.problem, line=first.line, at=first.at, more=seen.count - 1)
        return GateError(CODES[gate], sentence(seen.count, tally.read, seen.named), report)
    if not tally.read and isinstance(job.options, SftOptions):
        return SourceError("expected rows, got none")
    return _limit(report, job, tally) or _nothing_graded(job, tally)


def sentence(count: int, read: int, named: list[Finding]) -> str:
    """How many rows, and where the first of them are."""
    places = "; ".join(f"{where(f)} {f.at}: {f.problem}" for f in named[:3])
    return f"{count} of {read} rows. {places}"


def where(finding: Finding) -> str:
    """Row and line of a finding, as a person looks for them."""
    return f"row {finding.row}" if finding.line is None else f"line {finding.line}"


def _limit(report: dict[str, Any], job: Job, tally: Tally) -> ExportError | None:
    limit = job.options.policy.max_quarantined
    if tally.quarantined <= limit * tally.read:
        return None
    share = tally.quarantined / tally.read
    return GateError(
        "quarantine_limit",
        f"{tally.quarantined} of {tally.read} rows ({share:.1%}) are unfit, "
        f"at most {limit:.1%} may be (max_quarantined)",
        report,
    )


def _nothing_graded(job: Job, tally: Tally) -> ExportError | None:
    if job.options.selection.min_reward is None or sum(tally.rewards.values()) < tally.read:
        return None
    return OptionError(
        f"min_reward={job.options.selection.min_reward}: all {tally.read} rows are ungraded, "
        "so none can reach it; grade them, or set min_reward to none"
    )
