"""The library's keywords as options of a command; what is not given stays careful."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from whileai_export.shared.careful import CAREFUL_PAIRS, CAREFUL_SFT
from whileai_export.shared.errors import OptionError
from whileai_export.shared.options import (
    FORMATS,
    MASK_MODES,
    ON_FINDING,
    PREFERENCE_FORMATS,
    RELOADS,
    OptionsT,
    PairOptions,
    SftOptions,
    check,
    with_values,
)
from whileai_export.shared.schema import JsonObject

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def _flag(name: str, text: str) -> Decorator:
    return click.option(f"--{name}/--no-{name}", default=None, help=text)


def _choice(name: str, choices: tuple[str, ...], text: str) -> Decorator:
    return click.option(f"--{name}", type=click.Choice(choices), help=text)


def _number(name: str, kind: type[int] | type[float], text: str) -> Decorator:
    return click.option(f"--{name}", type=kind, help=text)


NONE = "none"


def _number_or_none(_: click.Context, __: click.Parameter, text: str | None) -> float | str | None:
    """A number, or the word ``none`` for no bound at all."""
    if text is None or text.lower() == NONE:
        return text and NONE
    try:
        return float(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is neither a number nor the word none") from None


_BOTH = (
    click.option(
        "--min-reward",
        metavar="NUMBER|none",
        callback=_number_or_none,
        help="Least reward of a taught row; none takes ungraded rows too. [0.5]",
    ),
    _flag("drop-failed", "Leave out rollouts that failed or were cut. [yes]"),
    _flag("trim-tail", "Leave out turns after the last assistant turn. [yes]"),
    _flag("strip-think", "Take reasoning out of assistant turns. [yes]"),
    click.option("--columns", "-c", multiple=True, help="Publish this column too; repeatable."),
    _choice(
        "on-bad-row",
        ON_FINDING,
        "What becomes of a row that cannot be read or has a call without arguments. [quarantine]",
    ),
    _choice(
        "on-leak",
        ON_FINDING,
        "What becomes of a row whose reply quotes its privileged block. [refuse]",
    ),
    _number(
        "max-quarantined", float, "Largest share of rows that may be set aside; more refuse. [0.05]"
    ),
    _flag("strict", "Refuse turns out of order too (the gate `structure`), not only warn. [no]"),
    _flag(
        "validate",
        "Let gates refuse. Without, they report, and rows are written as they are. [yes]",
    ),
    _number("max-row-bytes", int, "Longest line that is read. [64 MiB]"),
    click.option("--tokenizer", metavar="FILE", help="A tokenizer.json to measure rows with."),
    _number("max-tokens", int, "Warn of rows that are longer. [no bound]"),
    _flag("drop-long", "Leave out rows past --max-tokens. [no]"),
    _choice(
        "reload",
        RELOADS,
        "Load the files as a trainer does before they are put in place; a value that comes back "
        "changed warns or refuses; auto warns where `datasets` is installed. [off]",
    ),
)
_SFT = (
    _choice("mask-mode", MASK_MODES, "Which assistant turns are trained. [assistant]"),
    _flag("unroll", "One row an assistant turn, trained alone. [no]"),
    _number("max-tool-output-chars", int, "Cut tool output to this length. [not cut]"),
    _flag("dedupe", "Write equal conversations once. [yes]"),
    _number("max-per-task", int, "Rows kept of each task. [all]"),
    *_BOTH,
)
_PAIRS = (
    _number("min-margin", float, "Least difference in reward of a pair. [0.3]"),
    _number("max-pairs-per-task", int, "Pairs made of each task. [1]"),
    _flag("length-match", "Prefer a rejected reply of like length. [yes]"),
    _flag("drop-ties", "Make no pair of equal rewards. [yes]"),
    *_BOTH,
)


def together(*decorators: Decorator) -> Decorator:
    """Several options as one decorator, shown in this order."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


def _formats(choices: tuple[str, ...]) -> Decorator:
    text = "Wire format to write; repeatable. [openai]"
    return click.option("--format", "formats", type=click.Choice(choices), multiple=True, help=text)


sft_choices = together(_formats(FORMATS), *_SFT)
pair_choices = together(_formats(PREFERENCE_FORMATS), *_PAIRS)


def chosen(careful: OptionsT, values: Mapping[str, Any]) -> OptionsT:
    """The careful options with what was given put in."""
    said = {key: value for key, value in values.items() if value is not None and value != ()}
    given = {key: None if value == NONE else value for key, value in said.items()}
    options = with_values(careful, {"formats": ("openai",), **given})
    check(options)
    return options


def sft_options(values: Mapping[str, Any]) -> SftOptions:
    return chosen(CAREFUL_SFT, values)


def pair_options(values: Mapping[str, Any]) -> PairOptions:
    return chosen(CAREFUL_PAIRS, values)


def prompt_in(file: Path | None) -> str | None:
    """The text of ``--system-prompt FILE``, as it stands there."""
    if file is None:
        return None
    try:
        text = file.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise OptionError(f"--system-prompt: expected UTF-8 text in {file}") from error
    if not text.strip():
        raise OptionError(f"--system-prompt: expected text in {file}, got an empty file")
    return text


def tools_in(file: Path | None) -> list[JsonObject] | None:
    """The schemas of ``--tools FILE``: a JSON list, or an object that holds one as ``tools``."""
    if file is None:
        return None
    try:
        found = json.loads(file.read_text("utf-8"))
    except ValueError as error:
        raise OptionError(
            f"--tools: expected a JSON list of tool schemas in {file}, got text that is not JSON"
        ) from error
    tools = found.get("tools") if isinstance(found, dict) else found
    if not isinstance(tools, list) or not all(isinstance(tool, dict) for tool in tools):
        raise OptionError(f"--tools: expected a list of tool schemas in {file}")
    return tools
