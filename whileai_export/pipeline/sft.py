"""A source to SFT files: parts joined, judged, finished into staged files."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import Any

from whileai_export.io.hashing import file_sha256
from whileai_export.io.source import Source, opened
from whileai_export.io.staging import Staging
from whileai_export.pipeline.chunk import run_chunk
from whileai_export.pipeline.columns import KNOWN, check_columns
from whileai_export.pipeline.finish import Constants, complete, layout
from whileai_export.pipeline.job import Adapter, Job, adapter_name, resolve_adapter
from whileai_export.pipeline.join import Join
from whileai_export.pipeline.outcome import Outcome
from whileai_export.pipeline.quarantine import Quarantine
from whileai_export.pipeline.report import refused, sft_report, source_counts
from whileai_export.pipeline.run import Progress, parts
from whileai_export.pipeline.verdict import verdict
from whileai_export.pipeline.watch import refusing
from whileai_export.shared.careful import STAGED_ROWS
from whileai_export.shared.findings import Gate
from whileai_export.shared.options import SftOptions, check
from whileai_export.shared.schema import GROUP_FIELDS, JsonObject, WireFormat
from whileai_export.shared.tally import Tally


def write_sft(
    source: object,
    targets: Mapping[WireFormat, Path],
    *,
    options: SftOptions,
    quarantine: Path | None = None,
    simulation: str = "",
    system_prompt: str | None = None,
    tools: list[JsonObject] | None = None,
    adapter: Adapter | str | None = None,
    gates: tuple[Gate, ...] = (),
    holdout: frozenset[bytes] = frozenset(),
    workers: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
    private: bool = False,
) -> Outcome:
    """Stage one file a format, and say what became of every row.

    ``targets`` may be empty: then only the report is made. Nothing is visible before the
    outcome is published. Raises ``OptionError`` and, for a source that is none, ``SourceError``.
    """
    options = replace(options, adapter=adapter_name(adapter or options.adapter))
    check(options)
    check_columns(options.columns)
    with opened(source) as found:
        job = Job(
            options=options,
            around=replace(found.around, system_prompt=system_prompt, tools=tools),
            adapter=resolve_adapter(adapter or options.adapter),
            gates=gates,
            private=private,
            numbered=private or "row_id" in (options.columns or ()),
            extras=tuple(c for c in options.columns or () if c not in KNOWN),
            holdout=holdout,
        )
        staging = Staging(() if found.path is None else (found.path,))
        try:
            kept = Quarantine(staging, quarantine)
            with Join(job, simulation, kept.keep, _folder(targets)) as join:
                for part in parts(
                    found, job, run_chunk, workers=workers, executor=executor, progress=progress
                ):
                    join.take(part)
                return _outcome(found, job, join, staging, targets, kept)
        except BaseException:
            staging.discard()
            raise


def stage_training_rows(
    source: object,
    output: Path,
    *,
    options: SftOptions = STAGED_ROWS,
    quarantine: Path | None = None,
    simulation: str = "",
    system_prompt: str | None = None,
    tools: list[JsonObject] | None = None,
    gates: tuple[Gate, ...] = (),
    workers: int = 1,
    progress: Progress | None = None,
) -> Outcome:
    """Stage the private canonical rows that later exports read and compare with."""
    return write_sft(
        source,
        {"trl": output},
        options=replace(options, formats=("trl",), columns=None, strip_think=False),
        quarantine=quarantine,
        simulation=simulation,
        system_prompt=system_prompt,
        tools=tools,
        gates=gates,
        workers=workers,
        progress=progress,
        private=True,
    )


def _outcome(
    found: Source,
    job: Job,
    join: Join,
    staging: Staging,
    targets: Mapping[WireFormat, Path],
    kept: Quarantine,
) -> Outcome:
    grouped = join.index.repeats and not job.options.unroll
    report = sft_report(
        job.options,
        join.tally,
        join.marks,
        written=join.written,
        groups=len(join.index.keys) if join.index.repeats else 0,
        gates=(*job.gates, *(("holdout",) if job.holdout else ())),
        refuses=frozenset(refusing(job)),
    )
    report["source"] = source_of(found, join.tally)
    report["tasks"] = len(join.index.keys)
    refusal = verdict(report, job, join.tally)
    if refusal is not None:
        staging.discard()
        report = refused(report)
        setattr(refusal, "report", report)
        return Outcome(report, refusal, staging, targets, empty=True)
    report["outputs"] = []
    if join.written:
        groups = join.index.groups() if grouped else None
        for name, target in targets.items():
            report["outputs"].append(finish(join, name, target, staging, job, groups))
    return Outcome(
        report,
        None,
        staging,
        targets,
        empty=not join.written,
        former=kept.former(),
    )


def _folder(targets: Mapping[WireFormat, Path]) -> Path | None:
    """Where there is room for the output there is room for what comes before it."""
    folders = [target.parent for target in targets.values() if isinstance(target, Path)]
    return next((folder for folder in folders if folder.is_dir()), None)


def finish(
    join: Join,
    name: WireFormat,
    target: Path,
    staging: Staging,
    job: Job,
    groups: list[JsonObject] | None,
) -> dict[str, Any]:
    """Stage one format's file; what the report says of it."""
    track = join.tracks[name]
    late = [*(["row_id"] if job.numbered else []), *(GROUP_FIELDS if groups else ())]
    form = layout(track, late if name != "fireworks" else [])
    sink = staging.open(target, private=job.private)
    for block in complete(track, form, groups, Constants(job.around)):
        sink.write(block)
    sink.finish()
    return {
        "format": name,
        "path": str(target),
        "rows": len(track.tasks),
        "columns": form.columns,
        "sha256": sink.sha256,
        "bytes": sink.size,
    }


def source_of(found: Source, tally: Tally) -> dict[str, Any]:
    """The source in a report."""
    told: dict[str, Any] = {"label": found.label, "kind": found.kind, **source_counts(tally)}
    if found.path is not None:
        told["sha256"] = file_sha256(found.path)
        told["bytes"] = found.path.stat().st_size
    return told
