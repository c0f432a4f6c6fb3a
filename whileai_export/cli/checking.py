"""``check``: the gates over what goes in or has come out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from whileai_export.cli import dry, folder, published, reports
from whileai_export.cli.bar import bar, waiting
from whileai_export.cli.door import Door, command
from whileai_export.cli.source import example, json_option, read_with, source_argument, surroundings
from whileai_export.cli.terminal import as_json, columns, say
from whileai_export.pipeline.audit import audit
from whileai_export.shared.counted import counted
from whileai_export.shared.errors import ExportError, GateError
from whileai_export.shared.options import Policy, SftOptions
from whileai_export.shared.schema import JsonObject, WireFormat


@example("check train.jsonl --strict")
@click.command("check")
@source_argument
@click.option(
    "--strict",
    is_flag=True,
    help="Refuse turns out of order too (the gate `structure`), not only warn.",
)
@surroundings
@json_option
@click.pass_context
def check(context: click.Context, /, source: str, strict: bool, **given: Any) -> None:
    """Run every gate over FILE.

    FILE is a simulation, a training file, or a folder of published files, such as sft/NAME of a
    home: that is loaded as a trainer loads it too. Nothing is written.

    Exit code 0: no gate refuses. 1: one does. 2: a row cannot be read.
    """
    door: Door = context.obj
    published_there = folder.published(source)
    if published_there is not None:
        context.exit(_published(door, Path(source), published_there, strict))
    exported = published.format_of(source)
    if exported:
        report, refusal = audited(source, exported, strict)
    else:
        report, refusal = looked_at(source, strict, read_with(given), door.as_json)
        if refusal is None and published.is_for_trl(source):
            # An export reads arguments in any encoding; a trainer does not.
            refusal = audited(source, "trl", strict)[1]
    if refusal is not None:
        raise refusal
    if door.as_json:
        as_json(report)
        return
    for line in columns(reports.gates(report)):
        say(line)
    what = "pair" if exported and published.holds_pairs(source) else "row"
    say(f"{source}: {counted(report['counts']['read'], what)}, {reports.held(report)}", "good")


def _published(door: Door, place: Path, report: JsonObject, strict: bool) -> int:
    """A folder of published files; the exit code."""
    with waiting(f"checking {place}", door.as_json):
        found = folder.looked_at(place, report)
    # A folder without a file has nothing wrong in it, and nothing to train on.
    refused = bool(found.wrong or (strict and found.doubtful) or not report["outputs"])
    if door.as_json:
        as_json(found.plain())
        return int(refused)
    for line, style in found.told():
        say(line, style)
    said, style = found.verdict(str(place), refused)
    say(said, style)
    if refused and report["outputs"] and folder.staged_rows(place.resolve()):
        say("next: write them again:")
        say(f"  {command('run', place.resolve().name)}")
    return int(refused)


def looked_at(
    source: str, strict: bool, around: dry.Around, quiet: bool
) -> tuple[JsonObject, ExportError | None]:
    """The gates over a source."""
    options = replace(SftOptions(), policy=Policy(strict=strict))
    with bar(source, quiet) as progress:
        return dry.sft(source, around, options, progress)


def audited(source: str, format: WireFormat, strict: bool) -> tuple[JsonObject, ExportError | None]:
    """The gates over what only a trainer reads: of leaks nothing can be seen there."""
    seen = audit(Path(source), format, gates=folder.OF_MESSAGES)
    calls, leaks = seen["tool_call_roundtrip"], seen["privileged_leaks"]
    summary = f"{folder.calls_checked(calls)} ({format})"
    pairs = published.holds_pairs(source)
    warned = {
        gate: {**found, "named": folder.by_side(found["named"], pairs), "sides": pairs}
        for gate, found in {"structure": seen["structure"], **seen["warned"]}.items()
    }
    structure = warned["structure"]
    report = {
        **seen,
        "counts": {"read": seen["rows"]},
        "findings": {
            "tool_call_roundtrip": {"summary": summary, "checked": calls["checked"] > 0},
            "privileged_leak": {"summary": leaks["summary"], "checked": leaks["checked"]},
            **warned,
        },
    }
    refused: JsonObject = {"counts": report["counts"]}
    if calls["invalid"]:
        return report, GateError("tool_call_roundtrip_invalid", summary, refused)
    if strict and structure["count"]:
        said = structure["summary"].removeprefix("structure: ")
        whole = {**refused, "findings": {"structure": structure}}
        return report, GateError("structure_invalid", said, whole)
    return report, None
