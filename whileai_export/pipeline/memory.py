"""The documented functions that give back rows and pairs instead of files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import orjson

from whileai_export.io.decode import decode
from whileai_export.io.source import opened
from whileai_export.io.spool import Spool
from whileai_export.io.staging import Staging
from whileai_export.pipeline.chunk import run_chunk
from whileai_export.pipeline.facts import facts
from whileai_export.pipeline.finish import Constants
from whileai_export.pipeline.job import Job
from whileai_export.pipeline.join import Join
from whileai_export.pipeline.part import GAP
from whileai_export.pipeline.pool import Pool
from whileai_export.pipeline.prepare import checked, job_for
from whileai_export.pipeline.quarantine import Quarantine
from whileai_export.pipeline.run import parts
from whileai_export.pipeline.scout import run_scout
from whileai_export.pipeline.sides import (
    SIDES,
    Match,
    ask_of,
    cleaned,
    read_pair,
    reply_length,
)
from whileai_export.pipeline.verdict import unreadable
from whileai_export.shared.options import PairOptions, Policy, SftOptions
from whileai_export.shared.schema import GROUP_FIELDS, JsonObject, MaskMode, Trajectory
from whileai_export.shared.tally import NO_MARKS, Marks

#: Where a row's system prompt and tools come from when they need no keeping.
_OF_THE_ROW = (None, "row")


def training_rows(
    source: object,
    system_prompt: str | None = None,
    tools: Sequence[JsonObject] | None = None,
    strip_think: bool = True,
    mask_mode: MaskMode = "assistant",
    unroll: bool = False,
    max_tool_output_chars: int | None = None,
) -> list[JsonObject]:
    """The rows that ``export_dataset`` would write in format ``openai``, as a list.

    Nothing is judged: arguments that are no object come back as the text that came. Each row
    has the columns it has itself. Raises ``SourceError`` for rows that cannot be read.
    """
    options = checked(
        SftOptions(
            mask_mode=mask_mode,
            unroll=unroll,
            strip_think=strip_think,
            max_tool_output_chars=max_tool_output_chars,
            policy=Policy(validate=False),
        ),
        None,
    )
    with opened(source) as found:
        schemas = None if tools is None else list(tools)
        job = job_for(found, options, {"system_prompt": system_prompt, "tools": schemas})
        with Join(job, lambda unfit: None, NO_MARKS) as join:
            for part in parts(found, job, run_chunk):
                join.take(part)
            problem = unreadable(join.tally)
            if problem is not None:
                raise problem
            return list(_rows(join, grouped=join.index.repeats and not unroll))


def _rows(join: Join[Marks], *, grouped: bool) -> Iterator[JsonObject]:
    track = join.tracks["openai"]
    groups = join.index.groups() if grouped else None
    tasks = iter(track.tasks)
    constants = Constants(join.job.around)
    for block in track.spool.blocks():
        for line in block.splitlines():
            row: JsonObject = orjson.loads(constants.into(line.replace(GAP, b",")) + b"}")
            fields = groups[next(tasks)] if groups else {}
            if row.get("group_id") is not None:  # the row's own, whole
                fields = {name: row.get(name) for name in GROUP_FIELDS}
            # Null stands under the columns that other rows alone have.
            yield {**{name: value for name, value in row.items() if value is not None}, **fields}


def build_preference_pairs(
    rows: object,
    *,
    min_margin: float = 1.0,
    max_pairs_per_task: int = 1,
    length_match: bool = True,
) -> tuple[list[JsonObject], dict[str, Any]]:
    """Pairs of rollouts that answer the same ask of the same task, and why others have none.

    ``min_margin`` is the least difference in reward. A chosen row takes the rejected one that is
    nearest in reply length, measured in characters of all its assistant content. The sides are
    the rows themselves, so that ``export_preference`` can look for what they must not quote; a
    ``system_prompt`` and ``tools`` that stand beside the rows, in a sidecar, a profile or on the
    object that holds them, are put into rows that have none of their own.
    Raises ``SourceError`` for rows that cannot be read.
    """
    options = checked(
        PairOptions(
            min_margin=min_margin,
            max_pairs_per_task=max_pairs_per_task,
            length_match=length_match,
            policy=Policy(validate=False),
        ),
        None,
    )
    with opened(rows) as found, Staging() as staging, Spool() as spool:
        job = job_for(found, options)
        pool = Pool(spool, Quarantine(staging, None))
        for part in parts(found, job, run_scout):
            pool.take(part)
        problem = unreadable(pool.tally)
        if problem is not None:
            raise problem
        again = replace(job, paired=True)
        made = [_with_facts(match, again) for match in pool.pairs(options)]
        return made, pool.report(len(made))


def _with_facts(match: Match, job: Job) -> JsonObject:
    pair = read_pair(match, job)
    rows = match.chosen, match.rejected
    sides = {
        name: _with_surroundings(decode(row)[0], side)
        for name, row, side in zip(SIDES, rows, pair.sides, strict=True)
    }
    strip = job.options.strip_think
    lengths = [reply_length(cleaned(side.messages, strip)[0]) for side in pair.sides]
    return {"prompt": ask_of(pair), **sides, **facts(pair, (lengths[0], lengths[1]))}


def _with_surroundings(row: JsonObject, side: Trajectory) -> JsonObject:
    """The row with what was said beside it: nothing stands beside a list of pairs any more."""
    row = {**row}
    if side.prompt_from not in _OF_THE_ROW:
        row["system_prompt"] = side.messages[0]["content"]
    if side.tools_from not in _OF_THE_ROW:
        row["tools"] = side.tools
    return row
