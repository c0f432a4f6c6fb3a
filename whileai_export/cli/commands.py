"""The commands as one program: help, exit codes, and one line for everything that goes wrong."""

from __future__ import annotations

import sys
from typing import Any, NoReturn

import click

from whileai_export.cli import refusals, wording
from whileai_export.cli.adding import add
from whileai_export.cli.checking import check
from whileai_export.cli.cutting import cut
from whileai_export.cli.door import Door
from whileai_export.cli.exporting import export, preference
from whileai_export.cli.inspecting import inspect
from whileai_export.cli.previewing import preview
from whileai_export.cli.project import demo, run, ui
from whileai_export.cli.status import status
from whileai_export.cli.terminal import as_json, hush, say, visible
from whileai_export.cli.versions import VERSION_COMMANDS
from whileai_export.cli.way_on import finished, way_on
from whileai_export.shared.errors import ExportError, GateError, OptionError, SourceError, Ungraded
from whileai_export.shared.remedies import by_hand, none_readable, unreadable

REFUSED = 1
BAD_SOURCE = 2
NO_TRAJECTORY = "expected a trajectory, got "
_LOOKS = "this looks at it: {}, and this shows its rows: {}"


_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class Commands(click.Group):
    """The commands in the order in which a newcomer needs them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.obj.typed = tuple(args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        door: Door = ctx.obj
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            if "--json" not in door.typed:
                raise click.UsageError(visible(error.format_message()), error.ctx) from None
            door.as_json = True
            failed(door, error)
        except (GateError, Ungraded) as error:
            refused(door, error)
        except BrokenPipeError:
            hush()
            sys.exit(0)
        except (ExportError, OSError) as error:
            failed(door, error)


@click.group(cls=Commands, context_settings=_SETTINGS)
@click.version_option(package_name="whileai-export")
def commands() -> None:
    """Graded agent simulations in, validated training files out.

    Exit codes: 0 done, 1 refused by a gate or nothing left to write, 2 a bad source or a bad
    call.
    """


for _command in (
    *(demo, ui, inspect, add, run, export, preference, check, preview),
    *(status, cut),
    *VERSION_COMMANDS,
):
    commands.add_command(_command)


def refused(door: Door, error: GateError | Ungraded) -> NoReturn:
    """A gate's refusal: what it found, where, and the command that goes on from here."""
    if none_readable(error.report):
        failed(door, SourceError(unreadable(error.report)))
    onwards = way_on(door, error.code, error.report)
    if door.as_json:
        said = {"refused": error.code, "problem": str(error), "next": onwards and onwards.command}
        as_json({**said, "report": error.report})
        sys.exit(REFUSED)
    say(f"refused by {refusals.refusing(error.code)}", "bad")
    for line in refusals.lines(error.code, error.report, str(error)):
        say(wording.typed(line))
    if onwards:
        say(f"next: {onwards.words}:")
        say(f"  {onwards.command}")
    else:
        say(f"next: {by_hand(error.code, error.report)}, then run the same command again")
    sys.exit(REFUSED)


def _not_a_source(door: Door, problem: str) -> str:
    """What is wrong with a source; of a file that only a trainer reads, what that is."""
    done = finished(door.source) if NO_TRAJECTORY in problem else None
    if done is None:
        return wording.typed(problem)
    what, looks = done
    return f"{door.source}: expected graded trajectories, got {what}; {_LOOKS.format(*looks)}"


def failed(door: Door, error: ExportError | OSError | click.UsageError) -> NoReturn:
    """A source that cannot be read or a call that means nothing: one line."""
    problem = error.format_message() if isinstance(error, click.UsageError) else str(error)
    if isinstance(error, SourceError):
        problem = _not_a_source(door, problem)
    elif isinstance(error, OptionError):
        problem = wording.option(problem)
    elif isinstance(error, OSError) and error.filename is not None:
        problem = f"{error.filename}: {str(error.strerror).lower()}"
    if door.as_json:
        as_json({"error": type(error).__name__, "problem": problem})
    else:
        say(f"error: {problem}", "bad")
    sys.exit(BAD_SOURCE)
