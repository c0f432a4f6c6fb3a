"""A source to SFT files: parts joined, judged, finished into staged files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from whileai_export.io.source import Source, opened
from whileai_export.io.staging import Staging
from whileai_export.pipeline import training
from whileai_export.pipeline.chunk import run_chunk
from whileai_export.pipeline.files import finish_all, source_of, spool_folder, staging_for
from whileai_export.pipeline.given import Given
from whileai_export.pipeline.job import Job
from whileai_export.pipeline.join import Join
from whileai_export.pipeline.outcome import Outcome, Target
from whileai_export.pipeline.prepare import checked, job_for
from whileai_export.pipeline.quarantine import Quarantine
from whileai_export.pipeline.report import refused, sft_report
from whileai_export.pipeline.run import parts
from whileai_export.pipeline.verdict import verdict
from whileai_export.pipeline.watch import refusing
from whileai_export.shared.careful import STAGED_ROWS
from whileai_export.shared.options import SftOptions
from whileai_export.shared.schema import WireFormat
from whileai_export.shared.tally import NO_MARKS, Marks


def write_sft(
    source: object,
    targets: Mapping[WireFormat, Target],
    *,
    options: SftOptions,
    private: bool = False,
    **given: Unpack[Given],
) -> Outcome:
    """Stage one file a format, and say what became of every row.

    ``targets`` may be empty: then only the report is made. Nothing is visible before the
    outcome is published. Raises ``OptionError`` and, for a source that is none, ``SourceError``.
    """
    options = checked(options, given.get("adapter"))
    with opened(source) as found:
        job = job_for(found, options, given, private=private)
        quarantine = given.get("quarantine")
        staging = staging_for(source, found, targets.values(), quarantine)
        try:
            kept = Quarantine(staging, quarantine)
            with Join(job, kept.keep, NO_MARKS, spool_folder(targets)) as join:
                for part in parts(found, job, run_chunk, given):
                    join.take(part)
                return _outcome(found, job, options, join, staging, targets, kept)
        except BaseException:
            staging.discard()
            raise


def stage_training_rows(
    source: object,
    output: Path,
    *,
    options: SftOptions = STAGED_ROWS,
    **given: Unpack[Given],
) -> Outcome:
    """Stage the private canonical rows that later exports read and compare with."""
    options = replace(options, formats=("trl",), columns=None, strip_think=False)
    return write_sft(source, {"trl": output}, options=options, private=True, **given)


def _outcome(
    found: Source,
    job: Job,
    options: SftOptions,
    join: Join[Marks],
    staging: Staging,
    targets: Mapping[WireFormat, Target],
    kept: Quarantine,
) -> Outcome:
    report = sft_report(
        options,
        join.tally,
        join.marks,
        written=join.written,
        groups=len(join.index.keys) if join.index.repeats else 0,
        gates=(*job.gates, *(("holdout",) if job.holdout else ())),
        refuses=frozenset(refusing(job)),
    )
    report["source"] = source_of(found, join.tally)
    report["tasks"] = len(join.index.keys)
    report["lengths"] = join.lengths.report(options.selection.max_tokens)
    report["training"] = {name: training.SFT[name] for name in options.formats}
    report["warnings"] += training.length_advice(report["lengths"], options.selection.max_tokens)
    refusal = verdict(report, job, join.tally)
    if refusal is not None:
        staging.discard()
        return Outcome(refused(report, refusal), refusal, staging, targets, empty=True)
    grouped = join.index.repeats and not options.unroll
    groups = join.index.groups() if grouped else None
    report["outputs"] = finish_all(join, targets, staging, job, groups)
    return Outcome(report, None, staging, targets, empty=not join.written, former=kept.former())
