"""Rows, or pairs somebody made, to preference files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Unpack

from whileai_export.io.source import opened
from whileai_export.io.spool import Spool
from whileai_export.pipeline.duel import run_duel
from whileai_export.pipeline.files import source_of, spool_folder
from whileai_export.pipeline.given import Given
from whileai_export.pipeline.job import Job
from whileai_export.pipeline.outcome import Outcome, Target
from whileai_export.pipeline.pair_report import pair_report
from whileai_export.pipeline.part import Part
from whileai_export.pipeline.pool import Pool
from whileai_export.pipeline.prepare import checked, job_for
from whileai_export.pipeline.run import batches, parts
from whileai_export.pipeline.scout import run_scout
from whileai_export.pipeline.watch import refusing
from whileai_export.pipeline.workbench import Workbench
from whileai_export.shared.errors import SourceError
from whileai_export.shared.options import PairOptions
from whileai_export.shared.schema import WireFormat
from whileai_export.shared.tally import NO_PAIR_MARKS


def write_pairs(
    source: object,
    targets: Mapping[WireFormat, Target],
    *,
    options: PairOptions,
    **given: Unpack[Given],
) -> Outcome:
    """Pair the rollouts of every task of a source, and stage one file a format.

    Raises ``OptionError`` and, for a source that is none, ``SourceError``.
    """
    options = checked(options, given.get("adapter"))
    with opened(source) as found:
        job = job_for(found, options, given)
        with (
            Workbench(source, found, targets, given) as bench,
            Spool(spool_folder(targets)) as spool,
        ):
            pool = Pool(spool, bench.kept)
            for part in parts(found, job, run_scout, given):
                pool.take(part)
            # What was put aside is settled: it has been through the adapter.
            again = replace(job, adapter=None, paired=True)
            duels = batches(pool.pairs(options), again, run_duel, given)
            return _outcome(bench, again, options, duels, pool)


def export_pairs(
    pairs: object,
    targets: Mapping[WireFormat, Target],
    *,
    options: PairOptions,
    **given: Unpack[Given],
) -> Outcome:
    """Stage one file a format from pairs that somebody else made."""
    _refuse_report(pairs)
    options = checked(options, given.get("adapter"))
    with opened(pairs) as found:
        job = job_for(found, options, given)
        with Workbench(pairs, found, targets, given) as bench:
            return _outcome(bench, job, options, parts(found, job, run_duel, given), None)


def _refuse_report(pairs: object) -> None:
    """What ``build_preference_pairs`` gives back, whole."""
    if isinstance(pairs, tuple) and [type(part) for part in pairs] == [list, dict]:
        raise SourceError(
            "expected pairs, got pairs and their report; pass the pairs alone:"
            " pairs, report = build_preference_pairs(rows)"
        )


def _outcome(
    bench: Workbench, job: Job, options: PairOptions, made: Iterator[Part], pool: Pool | None
) -> Outcome:
    """The pairs of all parts, judged and finished."""
    with bench.joined(job, made, NO_PAIR_MARKS) as join:
        report = pair_report(options, join, pool, refusing(job))
        tally = join.tally if pool is None else pool.tally
        report["source"] = source_of(bench.found, tally)
        return bench.outcome(report, job, tally, join)
