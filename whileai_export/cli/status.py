"""``status``: where every simulation stands, without running anything."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict

import click

from whileai_export.cli.bar import waiting
from whileai_export.cli.door import Door, command
from whileai_export.cli.refusals import refusing
from whileai_export.cli.source import example, json_option
from whileai_export.cli.terminal import as_json, columns, say
from whileai_export.shared.counted import counted
from whileai_export.shared.not_taken import not_taken
from whileai_export.shared.project import Standing, State

#: Refused simulations that are run again in one command; the next comes with the next status.
_SOME = 5
_STYLES: dict[State, str] = {
    "current": "good",
    "refused": "bad",
    "crashed": "bad",
    "unreadable": "bad",
    "stale": "warn",
    "never run": "warn",
    "not taken": "warn",
}


@example("status")
@click.command("status")
@json_option
@click.pass_obj
def status(door: Door) -> None:
    """Say where every simulation stands.

    Current, stale and why, refused, crashed, running, or never run; when it was last exported, what
    is published of it, and which options its latest run had of its own. Writes nothing.
    """
    project = door.present_project()
    with waiting("looking at every simulation", door.as_json):
        found = list(project.standings())
    if door.as_json:
        as_json({"home": str(project.home), "simulations": [asdict(entry) for entry in found]})
        return
    if not found:
        say(f"no simulation yet; this makes one: {command('add', 'FILE', '--name', 'NAME')}")
    for line, entry in zip(columns(map(_cells, found), indent=""), found, strict=True):
        say(line, _STYLES.get(entry.state))
    for line in _onwards(found):
        say(line)
    untaken = project.untaken()
    if untaken:
        say(not_taken(untaken, project.patterns()), "warn")


def called(entry: Standing) -> str:
    """A simulation as it is named among several datasets."""
    return f"{entry.dataset}/{entry.simulation}" if entry.dataset else entry.simulation


def said(entry: Standing) -> str:
    """Its state and why, in a few words."""
    if entry.state == "refused" and " " not in entry.why:
        return f"refused by {refusing(entry.why)}"
    if entry.state == "not taken":
        return f"not taken {entry.why}"
    return f"{entry.state}: {entry.why}" if entry.why else entry.state


def told(found: Iterable[Standing]) -> list[str]:
    """A line each: which simulation, and where it stands."""
    return columns((called(entry), said(entry)) for entry in found)


def _cells(entry: Standing) -> tuple[str, ...]:
    own = ", ".join(f"{name}={json.dumps(value)}" for name, value in entry.own_options.items())
    return (
        called(entry),
        said(entry),
        entry.exported_at or "",
        ", ".join(_published(entry)) or "nothing published",
        f"own options: {own}" * bool(own),
    )


def _published(entry: Standing) -> Iterator[str]:
    if entry.rows is not None:
        yield counted(entry.rows, "row")
    if entry.pairs is not None:
        yield counted(entry.pairs, "pair")


def _onwards(found: Iterable[Standing]) -> Iterator[str]:
    found = list(found)
    refused = list(dict.fromkeys(one.simulation for one in found if one.state == "refused"))
    if refused:
        yield f"next: this runs again and says what helps: {command('run', *refused[:_SOME])}"
    due = sum(entry.due for entry in found)
    if due:
        yield f"next: this exports {counted(due, 'simulation')}: {command('run', '--stale')}"
