"""Rows, or pairs somebody made, to preference files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from typing import Unpack

from whileai_export.io.source import Source, opened
from whileai_export.io.spool import Spool
from whileai_export.pipeline.duel import run_duel
from whileai_export.pipeline.files import finish_all, source_of, spool_folder, staging_for
from whileai_export.pipeline.given import Given
from whileai_export.pipeline.job import Job
from whileai_export.pipeline.join import Join
from whileai_export.pipeline.outcome import Outcome, Target
from whileai_export.pipeline.pair_report import pair_report
from whileai_export.pipeline.part import Part
from whileai_export.pipeline.pool import Pool
from whileai_export.pipeline.prepare import checked, job_for
from whileai_export.pipeline.quarantine import Quarantine
from whileai_export.pipeline.report import refused
from whileai_export.pipeline.run import batches, parts
from whileai_export.pipeline.scout import run_scout
from whileai_export.pipeline.verdict import verdict
from whileai_export.pipeline.watch import refusing
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
    with ExitStack() as stack:
        found = stack.enter_context(opened(source))
        job = job_for(found, options, given)
        room = _Room(source, found, targets, given.get("quarantine"), stack)
        pool = Pool(stack.enter_context(Spool(spool_folder(targets))), room.kept)
        for part in parts(found, job, run_scout, given):
            pool.take(part)
        # What was put aside is settled: it has been through the adapter.
        again = replace(job, adapter=None, paired=True)
        duels = batches(pool.pairs(options), again, run_duel, given)
        return room.outcome(again, options, duels, pool)


def export_pairs(
    pairs: object,
    targets: Mapping[WireFormat, Target],
    *,
    options: PairOptions,
    **given: Unpack[Given],
) -> Outcome:
    """Stage one file a format from pairs that somebody else made."""
    options = checked(options, given.get("adapter"))
    with ExitStack() as stack:
        found = stack.enter_context(opened(pairs))
        job = job_for(found, options, given)
        room = _Room(pairs, found, targets, given.get("quarantine"), stack)
        made = parts(found, job, run_duel, given)
        return room.outcome(job, options, made, None)


class _Room:
    """Where the files of one export are staged. Leaving it by an error discards them."""

    def __init__(
        self,
        source: object,
        found: Source,
        targets: Mapping[WireFormat, Target],
        quarantine: Target | None,
        stack: ExitStack,
    ) -> None:
        self.found = found
        self.targets = targets
        self.staging = staging_for(source, found, targets.values(), quarantine)
        stack.push(lambda kind, *_: self.staging.discard() if kind else None)
        self.kept = Quarantine(self.staging, quarantine)

    def outcome(
        self, job: Job, options: PairOptions, made: Iterator[Part], pool: Pool | None
    ) -> Outcome:
        """The pairs of all parts, judged and finished."""
        with Join(job, self.kept.keep, NO_PAIR_MARKS, spool_folder(self.targets)) as join:
            for part in made:
                join.take(part)
            report = pair_report(options, join, pool, refusing(job))
            tally = join.tally if pool is None else pool.tally
            report["source"] = source_of(self.found, tally)
            refusal = verdict(report, job, tally)
            if refusal is not None:
                self.staging.discard()
                whole = refused(report, refusal)
                return Outcome(whole, refusal, self.staging, self.targets, empty=True)
            report["outputs"] = finish_all(join, self.targets, self.staging, job)
        return Outcome(
            report,
            None,
            self.staging,
            self.targets,
            empty=not join.written,
            former=self.kept.former(),
        )
