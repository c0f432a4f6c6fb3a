"""Text for people, JSON for machines."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import click

STYLES = {"good": "green", "bad": "red", "warn": "yellow", "quiet": "bright_black"}


def say(text: str = "", style: str | None = None) -> None:
    """A line of text; click takes the colour out where nobody sees it."""
    _put(click.style(text, fg=STYLES[style]) if style else text)


def as_json(report: Any) -> None:
    """One JSON document on standard output."""
    _put(json.dumps(report, indent=2, ensure_ascii=False, allow_nan=False))


def _put(text: str) -> None:
    try:
        click.echo(text)
    except BrokenPipeError:
        hush()


def hush() -> None:
    """Nobody reads any more: what is still to be said goes nowhere, the exit code stays."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def columns(rows: Iterable[Sequence[str]], indent: str = "  ") -> list[str]:
    """Lines in which the cells stand under each other."""
    table = [list(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [indent + "  ".join(map(str.ljust, row, widths)).rstrip() for row in table]
