"""The history of a home, where it cannot be read or written: who must know, and no traceback."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import dagster as dg

from whileai_export.shared.errors import ExportError


@contextmanager
def recorded(instance: dg.DagsterInstance) -> Iterator[None]:
    """What the database of an instance refuses is said in its own words, with the home."""
    with kept_in(Path(instance.root_directory).parent):
        yield


@contextmanager
def kept_in(home: Path) -> Iterator[None]:
    """The same of a history that has yet to be opened."""
    try:
        yield
    except Exception as error:
        why = _refusal(error)
        if why is None:
            raise
        raise ExportError(f"{home}: its history (.dagster) cannot be written: {why}") from error


def _refusal(error: BaseException | None) -> str | None:
    """The database's own words, which stand under those of whoever asked it."""
    while error is not None:
        if isinstance(error, sqlite3.Error):
            return str(error)
        error = error.__cause__ or error.__context__
    return None
