"""Whether a file is a simulation, and what it lacks, before it becomes one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from whileai_export.cli import dry, published
from whileai_export.cli.bar import bar
from whileai_export.cli.door import Door, command
from whileai_export.cli.mistaken import refuse_mistaken
from whileai_export.shared.careful import STAGED_ROWS
from whileai_export.shared.counted import agreeing, counted
from whileai_export.shared.errors import OptionError, SourceError
from whileai_export.shared.remedies import none_readable, unreadable
from whileai_export.shared.schema import JsonObject


def looked_at(file: Path, around: dry.Around, door: Door) -> list[str]:
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
    with bar(str(file), door.as_json) as progress:
        report, refusal = dry.sft(str(file), around, options, progress)
    if isinstance(refusal, SourceError):
        raise refusal
    if none_readable(report):
        raise SourceError(f"{file}: {unreadable(report)}")
    return [*_warnings(report), *_bare(report, door)]


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


def _bare(report: JsonObject, door: Door) -> Iterator[str]:
    """What rows have neither from the file nor from this call, with the call that gives it all."""
    source, calls = report["source"], report["tool_call_roundtrip"]["checked"]
    lacking = {
        "system_prompt": ("a system prompt", source["system_prompt_from"].get("none", 0)),
        "tools": ("tool schemas", source["tools_from"].get("none", 0) if calls else 0),
    }
    told = {option: said for option, said in lacking.items() if said[1]}
    if told:
        rows = ", ".join(f"{counted(n, 'row')} without {what}" for what, n in told.values())
        again = door.again({**dict.fromkeys(told, "FILE"), "replace": True})
        yield f"{rows}; add it again with: {again}"
