"""A source to SFT files: parts joined, judged, finished into staged files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from whileai_export.io.source import Source, opened
from whileai_export.pipeline import training
from whileai_export.pipeline.chunk import run_chunk
from whileai_export.pipeline.files import source_of
from whileai_export.pipeline.given import Given
from whileai_export.pipeline.job import Job
from whileai_export.pipeline.join import Join
from whileai_export.pipeline.outcome import Outcome, Target
from whileai_export.pipeline.prepare import checked, job_for
from whileai_export.pipeline.report import sft_report
from whileai_export.pipeline.run import parts
from whileai_export.pipeline.warnings import column_warnings
from whileai_export.pipeline.watch import refusing
from whileai_export.pipeline.workbench import Workbench
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
        with (
            Workbench(source, found, targets, given) as bench,
            bench.joined(job, parts(found, job, run_chunk, given), NO_MARKS) as join,
        ):
            report = _report(found, job, options, join)
            grouped = join.index.repeats and not options.unroll
            return bench.outcome(report, job, join.tally, join, grouped=grouped)


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


def _report(found: Source, job: Job, options: SftOptions, join: Join[Marks]) -> dict[str, Any]:
    report = sft_report(
        options,
        join.tally,
        join.marks,
        written=join.written,
        groups=len(join.index.keys) if join.index.repeats else 0,
        gates=job.further_gates,
        refuses=frozenset(refusing(job)),
    )
    report["source"] = source_of(found, join.tally)
    report["tasks"] = len(join.index.keys)
    report["lengths"] = join.lengths.report(options.selection.max_tokens)
    report["training"] = {name: training.SFT[name] for name in options.formats}
    report["warnings"] += training.length_advice(report["lengths"], options.selection.max_tokens)
    report["warnings"] += column_warnings(report, join)
    return report
