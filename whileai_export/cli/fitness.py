"""Whether a file is a simulation, and what it lacks, before it becomes one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from whileai_export.cli import dry, published
from whileai_export.cli.bar import bar
from whileai_export.cli.door import command
from whileai_export.cli.mistaken import refuse_mistaken
from whileai_export.cli.refusals import none_readable, unreadable
from whileai_export.shared.careful import STAGED_ROWS
from whileai_export.shared.counted import agreeing, counted
from whileai_export.shared.errors import OptionError, SourceError
from whileai_export.shared.schema import JsonObject

_AGAIN = "add it again with"


def looked_at(file: Path, around: dry.Around, quiet: bool) -> list[str]:
    """What a file lacks, in warnings. Refused where no row of it can be read."""
    refuse_mistaken(str(file))
    format = published.format_of(str(file))
    if format:
        pairs = published.holds_pairs(str(file))
        got = "preference pairs" if pairs else "training rows of a format that only a trainer reads"
        raise OptionError(
            f"{file}: expected graded trajectories, got {got} ({format});"
            f" this looks at them: {command('check', str(file))}"
        )
    options = replace(STAGED_ROWS, policy=dry.PATIENT)
    with bar(str(file), quiet) as progress:
        report, refusal = dry.sft(str(file), around, options, progress)
    if isinstance(refusal, SourceError):
        raise refusal
    if none_readable(report):
        raise SourceError(f"{file}: {unreadable(report)}")
    return list(_warnings(report))


def _warnings(report: JsonObject) -> Iterator[str]:
    source, counts, seen = report["source"], report["counts"], report["findings"]
    trained = source["shapes"].get("training", 0)
    if trained:
        yield (
            f"{counted(trained, 'row')} of a training file: training rows carry no privileged"
            " block: the leak gate has nothing to check"
        )
    elif not report["privileged_leaks"]["checked"]:
        yield "no row carries a privileged block: the leak gate has nothing to check"
    if seen["readable"]["count"]:
        yield f"{seen['readable']['count']:,} of {counted(counts['read'], 'row')} cannot be read"
    leaks = seen["privileged_leak"]["count"]
    if leaks:
        quote = agreeing(leaks, "quotes", "quote")
        yield (
            f"{leaks:,} of {counted(counts['read'], 'row')} {quote} the grader's private block:"
            f" a run refuses {agreeing(leaks, 'it', 'them')}"
        )
    bare = source["system_prompt_from"].get("none", 0)
    if bare:
        of = counted(bare, "row")
        yield f"{of} without a system prompt: {_AGAIN} --system-prompt FILE --replace"
    bare = source["tools_from"].get("none", 0)
    if bare and report["tool_call_roundtrip"]["checked"]:
        yield f"{counted(bare, 'row')} without tool schemas: {_AGAIN} --tools FILE --replace"
