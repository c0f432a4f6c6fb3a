"""Text for people, JSON for machines."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap
from typing import Any

import click

STYLES = {"good": "green", "bad": "red", "warn": "yellow", "quiet": "bright_black"}
WIDTH = 96

#: What a terminal acts on or cannot show: control codes, marks that turn the direction of what is
#: read, halves of characters. A line's end is the speaker's own.
_ACTED_ON = "\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff"
_CODES = re.compile(f"[{_ACTED_ON}]")
_IN_A_CELL = re.compile(f"[{_ACTED_ON}\t\n\u2028\u2029]")


def say(text: str = "", style: str | None = None) -> None:
    """A line of text; click takes the colour out where nobody sees it."""
    text = visible(text)
    _put(click.style(text, fg=STYLES[style]) if style else text)


def visible(text: str) -> str:
    """The text with every code written out that a terminal would act on: ``\\x1b[2J``."""
    return _CODES.sub(_written_out, text)


def as_json(report: Any) -> None:
    """One JSON document on standard output."""
    text = json.dumps(report, indent=2, ensure_ascii=False, allow_nan=False)
    # JSON escapes some codes by itself; the others stand only inside its texts.
    _put(_CODES.sub(lambda code: f"\\u{ord(code[0]):04x}", text))


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
    table = [[_IN_A_CELL.sub(_written_out, cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [indent + "  ".join(map(str.ljust, row, widths)).rstrip() for row in table]


def wrapped(name: str, text: str, width: int = WIDTH) -> Iterator[tuple[str, str]]:
    """A fact that may be long: its name beside the first line alone."""
    lines = wrap(text, width, break_long_words=False, break_on_hyphens=False) or [""]
    yield from zip([name, *[""] * (len(lines) - 1)], lines, strict=True)


def _written_out(code: re.Match[str]) -> str:
    number = ord(code[0])
    named = {9: "\\t", 10: "\\n"}.get(number)
    return named or (f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}")
