"""``check``: the gates over what goes in or has come out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from whileai_export.cli import dry, folder, published, reports
from whileai_export.cli.bar import bar, waiting
from whileai_export.cli.choices import prompt_in, tools_in
from whileai_export.cli.door import Door, command
from whileai_export.cli.source import example, json_option, source_argument, surroundings
from whileai_export.cli.terminal import as_json, columns, say
from whileai_export.pipeline.audit import audit
from whileai_export.shared.counted import counted
from whileai_export.shared.errors import ExportError, GateError
from whileai_export.shared.options import Policy, SftOptions
from whileai_export.shared.schema import JsonObject, WireFormat


@example("check train.jsonl --strict")
@click.command("check")
@source_argument
@click.option("--strict", is_flag=True, help="Let findings of `structure` refuse too.")
@surroundings
@json_option
@click.pass_context
def check(
    context: click.Context,
    source: str,
    strict: bool,
    system_prompt: Path | None,
    tools: Path | None,
) -> None:
    """Run every gate over FILE.

    FILE is a simulation, a training file, or a folder of published files, such as sft/NAME of a
    home: that is loaded as a trainer loads it too. Nothing is written.

    Exit code 0: no gate refuses. 1: one does. 2: a row cannot be read.
    """
    door: Door = context.obj
    outputs = folder.published(source)
    if outputs is not None:
        context.exit(_published(door, Path(source), outputs, strict))
    exported = published.format_of(source)
    if exported:
        report, refusal = audited(source, exported, strict)
    else:
        around = dry.Around(prompt_in(system_prompt), tools_in(tools))
        report, refusal = looked_at(source, strict, around, door.as_json)
    if refusal is not None:
        raise refusal
    if door.as_json:
        as_json(report)
        return
    for line in columns(reports.gates(report)):
        say(line)
    say(f"{source}: {counted(report['counts']['read'], 'row')}, {reports.held(report)}", "good")


def _published(door: Door, place: Path, outputs: list[JsonObject], strict: bool) -> int:
    """A folder of published files; the exit code."""
    with waiting(f"checking {place}", door.as_json):
        found = folder.looked_at(place, outputs)
    refused = bool(found.wrong or (strict and found.doubtful))
    if door.as_json:
        as_json(found.plain())
        return int(refused)
    for line in columns(found.lines()) if found.files else ():
        say(line)
    for problem in found.wrong:
        say(f"  wrong    {problem}", "bad")
    for problem in found.doubtful:
        say(f"  warning  {problem}", "warn")
    files = f"{counted(len(outputs), 'file')}, {counted(found.rows, 'row')}"
    if not refused:
        say(f"{place}: {files}, as they were published", "good")
        return 0
    say(f"{place}: {files}, not as they should be", "bad")
    if folder.staged_rows(place.resolve()):
        say("next: write them again:")
        say(f"  {command('run', place.resolve().name)}")
    return 1


def looked_at(
    source: str, strict: bool, around: dry.Around, quiet: bool
) -> tuple[JsonObject, ExportError | None]:
    """The gates over a source."""
    options = replace(SftOptions(), policy=Policy(strict=strict))
    with bar(source, quiet) as progress:
        return dry.sft(source, around, options, progress)


def audited(source: str, format: WireFormat, strict: bool) -> tuple[JsonObject, ExportError | None]:
    """The gates over what only a trainer reads: of leaks nothing can be seen there."""
    seen = audit(Path(source), format)
    calls, leaks = seen["tool_call_roundtrip"], seen["privileged_leaks"]
    summary = f"{folder.calls_checked(calls)} ({format})"
    report = {
        **seen,
        "counts": {"read": seen["rows"]},
        "findings": {
            "tool_call_roundtrip": {"summary": summary, "checked": calls["checked"] > 0},
            "privileged_leak": {"summary": leaks["summary"], "checked": leaks["checked"]},
            "structure": seen["structure"],
        },
    }
    refused = {"counts": report["counts"]}
    if calls["invalid"]:
        return report, GateError("tool_call_roundtrip_invalid", summary, refused)
    if strict and seen["structure"]["count"]:
        said = seen["structure"]["summary"].removeprefix("structure: ")
        return report, GateError("structure_invalid", said, refused)
    return report, None
