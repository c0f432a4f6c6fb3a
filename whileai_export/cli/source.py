"""What every command that reads a file is told: the file, its system prompt, its tools."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import click

from whileai_export.cli.choices import Decorator, together
from whileai_export.cli.door import Door
from whileai_export.cli.terminal import columns

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


def _json(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    door: Door = context.obj
    door.as_json = door.as_json or wanted


json_option: Decorator = click.option(
    "--json", is_flag=True, expose_value=False, callback=_json, help="One JSON document, no text."
)


def _source(context: click.Context, _: click.Parameter, value: str) -> str:
    """The source as it came; a path that leads nowhere is named before anything else runs."""
    if "://" not in value and not Path(value).exists():
        raise click.BadParameter(f"there is no file or folder {value!r}")
    return value


source_argument: Decorator = click.argument("source", metavar="FILE", callback=_source)

surroundings: Decorator = together(
    click.option("--system-prompt", type=FILE, help="Text file with the agent's system prompt."),
    click.option("--tools", type=FILE, help="JSON file with the agent's tool schemas."),
)


def example(
    text: str, keys: Mapping[str, str] | None = None
) -> Callable[[click.Command], click.Command]:
    """One example at the end of a command's help, as it is typed, after the keys it takes."""

    def decorate(command: click.Command) -> click.Command:
        # The mark keeps click from breaking the lines, so that they can be copied.
        told = ["\b\nKeys of --set:", *columns((keys or {}).items())] if keys else []
        shown = "\n".join(told) + "\n\n" if told else ""
        command.epilog = f"{shown}\b\nExample:  whileai-export {text}"
        return command

    return decorate
