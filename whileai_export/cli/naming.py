"""Which simulation a file is, as far as the place where it lies says so."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import click

from whileai_export.cli.choices import Decorator
from whileai_export.pipeline.store import is_url
from whileai_export.shared.plain_name import is_plain, plain_name

_SUFFIXES = (".gz", ".zst", ".jsonl")

simulation_option: Decorator = click.option(
    "--simulation",
    metavar="NAME",
    help="The simulation's name, a part of every row_id. [of a file under simulations/: its own]",
)


def simulation_of(source: str, given: str | None) -> str:
    """The name that is given, else that of a home: ``simulations/NAME`` or ``NAME.jsonl`` there.

    Any other file has none: only its ``row_id``s say so.
    """
    if given is not None:
        return plain_name(given)
    place = PurePosixPath(source) if is_url(source) else Path(source).resolve()
    if _stem(place.name) == "trajectories":
        place = place.parent
    name = _stem(place.name)
    return name if place.parent.name == "simulations" and is_plain(name) else ""


def _stem(name: str) -> str:
    for suffix in _SUFFIXES:
        name = name.removesuffix(suffix)
    return name
