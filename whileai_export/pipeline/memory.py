"""What the documented functions give back as Python values instead of files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import orjson

from whileai_export.core.normalize import normalize
from whileai_export.core.wire import PairRow, trl_pair, wire_messages
from whileai_export.io.decode import decode
from whileai_export.io.source import opened
from whileai_export.io.spool import Spool
from whileai_export.io.staging import Staging
from whileai_export.pipeline.chunk import run_chunk
from whileai_export.pipeline.door import settled
from whileai_export.pipeline.duel import completes
from whileai_export.pipeline.finish import Constants
from whileai_export.pipeline.job import Job
from whileai_export.pipeline.join import Join
from whileai_export.pipeline.pool import Pool
from whileai_export.pipeline.part import GAP
from whileai_export.pipeline.quarantine import Quarantine
from whileai_export.pipeline.run import parts
from whileai_export.pipeline.scout import cleaned, run_scout
from whileai_export.pipeline.sides import ask_of, facts, read_pair, reply_length
from whileai_export.shared.errors import BadRow, SourceError
from whileai_export.shared.options import PairOptions, SftOptions, check
from whileai_export.shared.schema import JsonObject, Surroundings


def canonical_rows(
    source: object,
    options: SftOptions,
    system_prompt: str | None,
    tools: list[JsonObject] | None,
) -> list[JsonObject]:
    """The lines of an ``openai`` file as objects, each with the columns it has itself."""
    check(options)
    with opened(source) as found:
        job = Job(options, replace(found.around, system_prompt=system_prompt, tools=tools))
        with Join(job, "", lambda unfit: None) as join:
            for part in parts(found, job, run_chunk):
                join.take(part)
            unreadable = join.tally.seen.get("readable")
            if unreadable is not None:
                first = unreadable.named[0]
                raise SourceError(
                    first.problem, line=first.line, at=first.at, more=unreadable.count - 1
                )
            return list(_rows(join, grouped=join.index.repeats and not options.unroll))


def _rows(join: Join, *, grouped: bool) -> Iterator[JsonObject]:
    track = join.tracks["openai"]
    groups = join.index.groups() if grouped else None
    tasks = iter(track.tasks)
    constants = Constants(join.job.around)
    for block in track.spool.blocks():
        for line in block.splitlines():
            row: JsonObject = orjson.loads(constants.into(line.replace(GAP, b",")) + b"}")
            fields = groups[next(tasks)] if groups else {}
            yield row if "group_id" in row else {**row, **fields}


def reshaped(rows: Sequence[JsonObject], kind: str) -> list[JsonObject]:
    """Exported rows in TRL's shape."""
    shape = _training_row if kind == "training" else _preference_row
    job = Job(SftOptions(policy=_UNJUDGED), Surroundings())
    found = []
    for number, row in enumerate(rows):
        try:
            made = shape(row, job)
        except BadRow as bad:
            raise SourceError(f"row {number}: {bad.problem}", at=bad.at) from None
        if made is not None:
            found.append(made)
    return found


def _training_row(row: JsonObject, job: Job) -> JsonObject:
    plain, _ = settled(row, job)
    trajectory = normalize(plain, job.around)
    made: JsonObject = {"messages": wire_messages(trajectory.messages, "trl")}
    made.update((k, v) for k, v in plain.items() if k not in ("messages", "prompt"))
    if "prompt" in plain:
        made["prompt_text"] = plain["prompt"]
    return made


def _preference_row(row: JsonObject, job: Job) -> JsonObject | None:
    pair = read_pair(row, job)
    sides = [side.messages for side in pair.sides]
    if not all(completes(side) for side in sides):
        return None
    line = trl_pair(PairRow(ask_of(pair), sides[0], sides[1], pair.chosen.tools))
    if line is None:
        return None
    line.update((k, v) for k, v in pair.given.items() if k not in ("prompt", *line))
    return line


def pairs_of(rows: object, options: PairOptions) -> tuple[list[JsonObject], dict[str, Any]]:
    """Pairs whose sides are the rows themselves, and a report."""
    check(options)
    with opened(rows) as found, Staging() as staging, Spool() as spool:
        job = Job(options, found.around)
        pool = Pool(spool, Quarantine(staging, None))
        for part in parts(found, job, run_scout):
            pool.take(part)
        made = [_with_facts(raw, job) for raw in pool.pairs(options)]
        return made, pool.report(len(made))


def _with_facts(raw: JsonObject, job: Job) -> JsonObject:
    pair = read_pair(raw, job)
    sides = {name: decode(raw[name])[0] for name in ("chosen", "rejected")}
    lengths = [reply_length(cleaned(s.messages, job.options.strip_think)) for s in pair.sides]
    return {"prompt": ask_of(pair), **sides, **facts(pair, (lengths[0], lengths[1]))}


_UNJUDGED = replace(SftOptions().policy, validate=False)
