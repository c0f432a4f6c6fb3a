"""The persistent instance beside a home, begun whole whoever comes in between."""

from __future__ import annotations

import shutil
import textwrap
from pathlib import Path

import dagster as dg

from whileai_export.defs import pages
from whileai_export.defs.history import kept_in
from whileai_export.pipeline.folders import one_at_a_time
from whileai_export.shared.errors import ExportError

#: What Dagster makes of an instance before the first run; the last tells that it is whole.
_DATABASES = ("schedules", "history")
#: Characters of what Dagster says of wrong settings: it may add all that it knows.
_WORDS = 240


def instance_at(place: Path) -> dg.DagsterInstance:
    """The instance in a folder that has begun."""
    try:
        with kept_in(place.parent):
            return dg.DagsterInstance.from_config(str(place))
    except ExportError:
        raise
    except Exception as error:  # whatever Dagster makes of settings that somebody wrote
        said = textwrap.shorten(str(error), _WORDS, placeholder=" ...")
        problem = f"its history cannot be opened by {place.name}/dagster.yaml: {said}"
        raise ExportError(f"{place.parent}: {problem}") from error


def present_at(place: Path) -> dg.DagsterInstance:
    """The instance for a question; where none has begun, one that is gone afterwards."""
    if not (place / "dagster.yaml").exists() and not (place / _DATABASES[-1]).exists():
        return dg.DagsterInstance.ephemeral()
    if not (place / _DATABASES[-1]).exists():
        begin(place)  # somebody is at it, or was killed
    return instance_at(place)


def begin(place: Path) -> None:
    """Make the settings and databases of an instance in its folder, where there are none.

    Dagster makes a database table by table: of a process that is killed meanwhile, or of two at
    once, it would keep one that nobody can open again. So they are made aside and renamed in.
    """
    try:
        with kept_in(place.parent), one_at_a_time([place]):
            pages.settle(place)
            if not (place / _DATABASES[-1]).exists():
                _make_databases(place)
    except OSError as error:
        problem = f"its history (.dagster) cannot be begun: {error.strerror}"
        raise ExportError(f"{place.parent}: {problem}") from error


def _make_databases(place: Path) -> None:
    aside = place / "begun.part"
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(0o700)
    dg.DagsterInstance.from_config(str(aside)).dispose()
    for name in _DATABASES:
        if not (place / name).exists():
            (aside / name).rename(place / name)
    shutil.rmtree(aside)
