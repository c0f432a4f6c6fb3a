"""What is done about findings is said here, once."""

from __future__ import annotations

import json
from typing import Any

from whileai_export.pipeline.job import Job
from whileai_export.pipeline.watch import refusing
from whileai_export.shared.counted import agreeing, counted
from whileai_export.shared.errors import ExportError, GateError, SourceError, Ungraded
from whileai_export.shared.findings import REFUSING, Finding
from whileai_export.shared.remedies import UNREADABLE, remedy
from whileai_export.shared.tally import Tally


def verdict(report: dict[str, Any], job: Job, tally: Tally) -> ExportError | None:
    """Why nothing may be written, or None."""
    for gate in refusing(job):
        seen = tally.seen.get(gate)
        if seen is None or not seen.count:
            continue
        if gate == "readable":
            return unreadable(tally, _aside(UNREADABLE, report))
        sides = counted(2 * tally.read, "side")
        read = sides if _takes_pairs(report) else counted(tally.read, "row")
        code = REFUSING[gate]
        said = sentence(seen.count, read, seen.named) + _aside(code, report)
        return GateError(code, said, report)
    if not tally.read and not _takes_pairs(report):
        return SourceError("expected rows, got none")
    return _limit(report, job, tally) or _nothing_graded(report, job, tally)


def _aside(code: str, report: dict[str, Any]) -> str:
    """The options that leave the rows out, where there are any; ``export.toml`` spells them so."""
    mends = remedy(code, report)
    settings = mends[1] if mends else {}
    if settings.keys().isdisjoint(("on_leak", "on_bad_row")):
        return ""
    told = ", ".join(f"{name}={json.dumps(value)}" for name, value in settings.items())
    return f". To leave these rows out: {told}"


def unreadable(tally: Tally, way_on: str = "") -> SourceError | None:
    """Names the first row that cannot be read, how many others there are, and the way on."""
    seen = tally.seen.get("readable")
    if seen is None or not seen.count:
        return None
    first = seen.named[0]
    problem = first.problem if first.line is not None else f"row {first.row}: {first.problem}"
    return SourceError(problem, line=first.line, at=first.at, more=seen.count - 1, way_on=way_on)


def _takes_pairs(report: dict[str, Any]) -> bool:
    """Pairs that somebody made may be none; ``no_preference_pairs`` is said of them."""
    return "pairs" in report and "tasks_seen" not in report


def sentence(count: int, read: str, named: list[Finding]) -> str:
    """How many of what was read, and where the first of them are."""
    places = "; ".join(f"{where(f)} {f.at}: {f.problem}" for f in named[:3])
    return f"{count:,} of {read}. {places}"


def where(finding: Finding) -> str:
    """Row and line of a finding, as a person looks for them."""
    return f"row {finding.row}" if finding.line is None else f"line {finding.line}"


def _limit(report: dict[str, Any], job: Job, tally: Tally) -> ExportError | None:
    limit = job.options.policy.max_quarantined
    if tally.quarantined <= limit * tally.read + 1e-9:
        return None
    share = tally.quarantined / tally.read
    return GateError(
        "quarantine_limit",
        f"{tally.quarantined:,} of {counted(tally.read, 'row')} ({share:.1%})"
        f" {agreeing(tally.quarantined, 'is', 'are')} unfit,"
        f" at most {limit:.1%} may be (max_quarantined)",
        report,
    )


def _nothing_graded(report: dict[str, Any], job: Job, tally: Tally) -> ExportError | None:
    least = job.options.selection.min_reward
    readable = tally.read - report["findings"]["readable"]["count"]
    graded = readable - sum(tally.rewards.values())
    if least is None or graded or not readable:
        return None
    rows = "the one readable row is" if readable == 1 else f"all {readable:,} readable rows are"
    return Ungraded(
        f"min_reward={least}: {rows} ungraded, so none can reach it;"
        f" grade {agreeing(readable, 'it', 'them')} (reward, a number from 0 to 1),"
        " or set min_reward to none"
    )
