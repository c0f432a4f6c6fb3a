"""Rows, or pairs somebody made, to preference files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from whileai_export.io.lines import lines
from whileai_export.io.source import Source, opened
from whileai_export.io.spool import Spool
from whileai_export.io.staging import Staging
from whileai_export.pipeline.duel import Duel, Sums
from whileai_export.pipeline.job import Adapter, Job, adapter_name, resolve_adapter
from whileai_export.pipeline.join import Join
from whileai_export.pipeline.outcome import Outcome
from whileai_export.pipeline.pair_report import pair_report
from whileai_export.pipeline.pool import Pool
from whileai_export.pipeline.quarantine import Quarantine
from whileai_export.pipeline.run import Progress, parts
from whileai_export.pipeline.scout import run_scout
from whileai_export.pipeline.sft import finish, source_of
from whileai_export.pipeline.verdict import verdict
from whileai_export.pipeline.watch import refusing
from whileai_export.shared.findings import Gate
from whileai_export.shared.options import PairOptions, check
from whileai_export.shared.schema import JsonObject, WireFormat
from whileai_export.shared.tally import Tally


#: Pairs that are held at once.
BATCH = 128


def write_pairs(
    source: object,
    targets: Mapping[WireFormat, Path],
    *,
    options: PairOptions,
    quarantine: Path | None = None,
    simulation: str = "",
    system_prompt: str | None = None,
    tools: list[JsonObject] | None = None,
    adapter: Adapter | str | None = None,
    gates: tuple[Gate, ...] = (),
    holdout: frozenset[bytes] = frozenset(),
    workers: int = 1,
    progress: Progress | None = None,
) -> Outcome:
    """Pair the rollouts of every task of a source, and stage one file a format.

    Raises ``OptionError`` and, for a source that is none, ``SourceError``.
    """
    options = replace(options, adapter=adapter_name(adapter or options.adapter))
    check(options)
    with ExitStack() as stack:
        found = stack.enter_context(opened(source))
        job = _job(found, options, system_prompt, tools, adapter, gates, holdout)
        staging = Staging(() if found.path is None else (found.path,))
        stack.push(lambda kind, *_: staging.discard() if kind else None)
        kept = Quarantine(staging, quarantine)
        pool = Pool(stack.enter_context(Spool()), kept)
        for part in parts(found, job, run_scout, workers=workers, progress=progress):
            pool.take(part)
        return _outcome(found, job, options, simulation, staging, targets, kept, pool)


def export_pairs(
    pairs: object,
    targets: Mapping[WireFormat, Path],
    *,
    options: PairOptions,
    quarantine: Path | None = None,
    system_prompt: str | None = None,
    tools: list[JsonObject] | None = None,
    adapter: Adapter | str | None = None,
) -> Outcome:
    """Stage one file a format from pairs that somebody else made."""
    options = replace(options, adapter=adapter_name(adapter or options.adapter))
    check(options)
    with ExitStack() as stack:
        found = stack.enter_context(opened(pairs))
        job = _job(found, options, system_prompt, tools, adapter, (), frozenset())
        staging = Staging(() if found.path is None else (found.path,))
        stack.push(lambda kind, *_: staging.discard() if kind else None)
        kept = Quarantine(staging, quarantine)
        return _outcome(found, job, options, "", staging, targets, kept, None)


def raw_pairs(found: Source) -> Iterator[object]:
    """The pairs of a source as they came."""
    if found.path is None:
        yield from found.rows or ()
        return
    for _, line in lines(found.path):
        yield line


def _job(
    found: Source,
    options: PairOptions,
    system_prompt: str | None,
    tools: list[JsonObject] | None,
    adapter: Adapter | str | None,
    gates: tuple[Gate, ...],
    holdout: frozenset[bytes],
) -> Job:
    return Job(
        options=options,
        around=replace(found.around, system_prompt=system_prompt, tools=tools),
        adapter=resolve_adapter(adapter or options.adapter),
        gates=gates,
        holdout=holdout,
    )


def _outcome(
    found: Source,
    job: Job,
    options: PairOptions,
    simulation: str,
    staging: Staging,
    targets: Mapping[WireFormat, Path],
    kept: Quarantine,
    pool: Pool | None,
) -> Outcome:
    given = raw_pairs(found) if pool is None else pool.pairs(options)
    sums = Sums()
    with Join(job, simulation, kept.keep if pool is None else lambda _: None) as join:
        while batch := list(islice(given, BATCH)):
            duel = Duel(job, options, simulation)
            join.take(duel.run(batch))
            sums += duel.sums
        tally = join.tally if pool is None else pool.tally
        report = pair_report(options, tally, sums, join, pool, frozenset(refusing(job)))
        report["source"] = source_of(found, tally)
        refusal = verdict(report, job, tally)
        if refusal is not None:
            staging.discard()
            return Outcome(report, refusal, staging, targets, empty=True)
        outputs: list[dict[str, Any]] = []
        for name, target in targets.items():
            if join.tracks[name].known:
                outputs.append(finish(join, name, target, staging, job, None))
        report["outputs"] = outputs
        return Outcome(
            report, None, staging, targets, empty=not outputs, former=kept.former()
        )
