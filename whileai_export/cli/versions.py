"""``versions``, ``show``, ``diff``, ``verify``, ``trace``, ``tag`` and ``reproduce``."""

from __future__ import annotations

import click

from whileai_export.cli.bar import waiting
from whileai_export.cli.door import Door, command
from whileai_export.cli.on_shelf import as_cut, on_shelf
from whileai_export.cli.source import example, json_option
from whileai_export.cli.terminal import as_json, columns, say
from whileai_export.cli.told import difference_lines, listed_line, traced_lines
from whileai_export.shared.counted import counted
from whileai_export.shared.errors import OptionError
from whileai_export.versions import Shelf, diff, listed, reproduce, show, tag, trace, verify
from whileai_export.versions.damage import way_on


@example("versions")
@click.command("versions")
@json_option
@click.pass_obj
def versions(door: Door) -> None:
    """List the versions that were cut, oldest first."""
    home = door.present_project().home
    found = {shelf.dataset or "": listed(shelf) for shelf in Shelf.all(home)}
    if door.as_json:
        as_json({"home": str(home), "datasets": found})
        return
    if not found:
        say(f"no version yet; this makes one of what is published: {command('cut')}")
    for dataset, entries in found.items():
        for line in columns(listed_line(dataset, entry) for entry in entries):
            say(line)


@example("show v0002")
@click.command("show")
@click.argument("version")
@json_option
@click.pass_obj
def show_version(door: Door, version: str) -> None:
    """Show what VERSION is made of, and what is new in it.

    VERSION is a name, a tag or LATEST; of a named dataset DATASET/VERSION.
    """
    shelf, word = on_shelf(door.present_project(), version)
    found = show(shelf, word)
    if door.as_json:
        as_json(found)
        return
    with as_cut(shelf, word):
        card = (shelf.folder(found["version"]) / "card.md").read_text("utf-8")
    say(card.rstrip())
    if found["tags"]:
        say()
        say(f"tags: {', '.join(found['tags'])}")


@example("diff v0001 v0002")
@click.command("diff")
@click.argument("older")
@click.argument("newer")
@click.option("--all", "whole", is_flag=True, help="Name every row and task, not the first five.")
@json_option
@click.pass_obj
def diff_versions(door: Door, older: str, newer: str, whole: bool) -> None:
    """Say which rows differ between two versions.

    Added, removed and changed ones, by simulation and task; `trace NEWER ROW_ID` says where one of
    them came from.
    """
    project = door.present_project()
    shelf, before = on_shelf(project, older)
    other, after = on_shelf(project, newer)
    if shelf != other:
        raise OptionError(f"{older} and {newer}: expected two versions of one dataset")
    comparing = waiting(f"comparing {before} with {after}", door.as_json)
    with as_cut(shelf, before, after), comparing:
        found = diff(shelf, before, after)
    if door.as_json:
        as_json(found)
        return
    for line in difference_lines(found, whole, command("diff", older, newer, "--all")):
        say(line)


@example("verify v0002")
@click.command("verify")
@click.argument("version")
@json_option
@click.pass_context
def verify_version(context: click.Context, version: str) -> None:
    """Read VERSION again: is it as it was cut?

    Names every file, row and count that is not. Exit code 1 where something differs.
    """
    door: Door = context.obj
    shelf, word = on_shelf(door.present_project(), version)
    with waiting(f"reading {word} again", door.as_json):
        found = verify(shelf, word)
    if door.as_json:
        as_json(found.plain())
    else:
        for problem in found.problems:
            say(problem, "bad")
        said = f"{counted(found.files, 'file')}, {counted(found.rows, 'row')} in all of them"
        if found.intact:
            say(f"{found.version}: {said}, as it was cut", "good")
        else:
            say(f"{found.version}: {said}, {counted(len(found.problems), 'difference')}", "bad")
            say(f"to get rid of that, {way_on(shelf, found.version)}")
    context.exit(0 if found.intact else 1)


@example("trace v0002 42dd6027426522a8")
@click.command("trace")
@click.argument("version")
@click.argument("row_id")
@json_option
@click.pass_obj
def trace_row(door: Door, version: str, row_id: str) -> None:
    """Say where one row of VERSION came from.

    Its simulation, line, task and rollout, the run and the options that made it.
    """
    shelf, word = on_shelf(door.present_project(), version)
    with as_cut(shelf, word), waiting(f"looking for {row_id}", door.as_json):
        found = trace(shelf, word, row_id)
    if door.as_json:
        as_json(found)
        return
    also = [("also in", ", ".join(found["also_in"]))] if found["also_in"] else []
    for line in columns([*traced_lines(found), *also]):
        say(line)


@example("tag v0002 production")
@click.command("tag")
@click.argument("version")
@click.argument("name")
@json_option
@click.pass_obj
def tag_version(door: Door, version: str, name: str) -> None:
    """Let NAME mean VERSION from now on.

    A tag moves, and every move is logged.
    """
    shelf, word = on_shelf(door.present_project(), version)
    found = tag(shelf, word, name)
    if door.as_json:
        as_json(found)
        return
    moved = found["was"] not in (None, found["version"])
    was = f" (was {found['was']})" if moved else ""
    say(f"{name} is {found['version']}{was}")


@example("reproduce v0002")
@click.command("reproduce")
@click.argument("version")
@click.option("--workers", type=click.IntRange(1), default=1, help="Processes to use. [1]")
@json_option
@click.pass_context
def reproduce_version(context: click.Context, version: str, workers: int) -> None:
    """Make VERSION again, aside, and compare the bytes.

    From its simulations as they are now. Exit code 1 where an input or a file is not the same.
    """
    door: Door = context.obj
    project = door.present_project()
    shelf, word = on_shelf(project, version)
    # Its thread would keep worker processes from starting quickly.
    with waiting(f"making {word} again", door.as_json or workers > 1):
        found = reproduce(shelf, word, project.folder, workers=workers)
    if door.as_json:
        as_json(found)
    else:
        for entry in found["inputs"]:
            say(f"{entry['simulation']}: {entry['problem']}", "bad")
        other = [file for file in found["files"] if not file["same"]]
        for file in other:
            say(f"{file['path']}: {file['why']}", "bad")
        same = len(found["files"]) - len(other)
        said = f"{same} of {counted(len(found['files']), 'file')} came out the same"
        say(f"{found['version']}: {said}", "good" if found["same"] else "bad")
    context.exit(0 if found["same"] else 1)


VERSION_COMMANDS = (
    *(versions, show_version, diff_versions, verify_version),
    *(trace_row, tag_version, reproduce_version),
)
