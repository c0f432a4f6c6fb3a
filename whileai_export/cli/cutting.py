"""``cut``: an immutable version of what stands published."""

from __future__ import annotations

from collections.abc import Iterator

import click

from whileai_export.cli.bar import waiting
from whileai_export.cli.door import Door, command
from whileai_export.cli.source import example, json_option
from whileai_export.cli.terminal import as_json, columns, say
from whileai_export.shared.counted import counted
from whileai_export.shared.not_taken import not_taken
from whileai_export.shared.schema import JsonObject
from whileai_export.versions.lost import lost_line


@example("cut")
@click.command("cut")
@click.argument("dataset", required=False)
@json_option
@click.pass_context
def cut(context: click.Context, dataset: str | None) -> None:
    """Cut a version of everything that is published.

    DATASET is one that export.toml names; without it, every dataset. A simulation whose latest
    run did not pass or has not ended is left out; one that the version before has is named on a
    line of its own. What has not changed since the last version cuts no new one.

    Exit code 0: a version holds what is published. 1: there is none of it.
    """
    door: Door = context.obj
    project = door.present_project()
    with waiting("cutting a version", door.as_json):
        found = project.cut(dataset)
    untaken = project.untaken()
    if door.as_json:
        as_json({"home": str(project.home), "versions": found, "not_taken": untaken})
    else:
        for entry in found:
            for line, style in told(entry):
                say(line, style)
        if untaken:
            say(not_taken(untaken, project.patterns()), "warn")
    context.exit(1 if any(entry["problem"] for entry in found) else 0)


def told(entry: JsonObject) -> Iterator[tuple[str, str | None]]:
    """The version, what was taken, what was left out and why."""
    dataset = entry["dataset"]
    if "version" in entry:
        name = f"{dataset}/{entry['version']}" if dataset else entry["version"]
        said = f"{counted(entry['rows'], 'row')}, {counted(entry['pairs'], 'pair')}"
        was = "" if entry["new"] else "; nothing published has changed since, no new version"
        yield f"{name}: {said}{was}", "good"
        yield from ((line, None) for line in columns(_parts(entry)))
        yield from ((line, "bad") for line in _lost(entry))
        yield f"next: {command('show', name)}", None
    if entry["problem"]:
        of = f"{dataset}: " if dataset else ""
        yield f"error: {of}{entry['problem']}", "bad"


def _lost(entry: JsonObject) -> Iterator[str]:
    """What the version before holds and this one does not, and what brings it back."""
    for part in entry["lost"]:
        yield lost_line(entry["version"], entry["parent"], part, command("run", part["simulation"]))
    if entry["lost_parts"] > len(entry["lost"]):
        yield f"{entry['version']} has not {entry['lost_parts'] - len(entry['lost'])} more of them"


def _parts(entry: JsonObject) -> Iterator[tuple[str, str, str, str]]:
    for part in entry["taken"]:
        lines = ", ".join(f"{format} {n:,}" for format, n in part["rows"].items())
        yield "taken", part["simulation"], part["kind"], lines
    for part in entry["left_out"]:
        yield "left out", part["simulation"], part["kind"], part["reason"]
    for name in entry["newer_input"]:
        yield "newer", name, "", f"not exported yet: {command('run', name)}"
    for name in entry["gone"]:
        under = f"{entry['dataset']}/{name}" if entry["dataset"] else name
        said = f"as published; to leave it out remove sft/{under}, preference/{under}"
        yield "gone", name, "", said
