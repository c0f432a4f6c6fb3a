"""What every command that reads a file is told: the file, its system prompt, its tools."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from whileai_export.cli.choices import Decorator, prompt_in, together, tools_in
from whileai_export.cli.door import Door
from whileai_export.cli.dry import Around
from whileai_export.cli.mistaken import refuse_mistaken
from whileai_export.cli.terminal import columns
from whileai_export.pipeline.places import target_of
from whileai_export.pipeline.store import is_url

T = TypeVar("T")

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


def _json(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    door: Door = context.obj
    door.as_json = door.as_json or wanted


json_option: Decorator = click.option(
    "--json",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_json,
    help="One JSON document, no text.",
)


def _source(context: click.Context, _: click.Parameter, value: str) -> str:
    """The source; a path that leads nowhere is named before anything else runs."""
    place = target_of(value)
    if isinstance(place, Path):
        try:
            place.stat()
        except (FileNotFoundError, NotADirectoryError):
            raise click.BadParameter(f"there is no file or folder {value!r}") from None
        except OSError as error:
            raise click.BadParameter(f"{value!r} cannot be read: {error.strerror}") from None
    door: Door = context.obj
    door.source = str(place) if is_url(value) else value
    refuse_mistaken(door.source)
    return door.source


source_argument: Decorator = click.argument("source", metavar="FILE", callback=_source)


def _around(context: click.Context, option: click.Parameter, given: T) -> T:
    if given is not None:
        door: Door = context.obj
        door.around += [option.opts[0], str(given)]
    return given


surroundings: Decorator = together(
    click.option(
        "--system-prompt",
        type=FILE,
        callback=_around,
        help="Text file with the agent's system prompt.",
    ),
    click.option(
        "--tools", type=FILE, callback=_around, help="JSON file with the agent's tool schemas."
    ),
    click.option(
        "--adapter",
        metavar="PKG.MOD:FN",
        callback=_around,
        help="Turns a row of yours into one we read.",
    ),
)


def read_with(given: Mapping[str, Any]) -> Around:
    """What a source is read with, taken out of what a command with ``surroundings`` was given."""
    return Around(prompt_in(given["system_prompt"]), tools_in(given["tools"]), given["adapter"])


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
