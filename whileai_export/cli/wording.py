"""What the library says, in the words of whoever typed a command."""

from __future__ import annotations

import re
from collections.abc import Mapping

from whileai_export.shared.options import PairOptions, SftOptions, plain

_PLACES = "the row, profile.json or the sidecar"
#: The library's words, and what they are on the command line.
_TYPED: Mapping[str, str] = {
    f"from the option system_prompt, {_PLACES}": "give --system-prompt FILE",
    f"from the option tools, {_PLACES}": "give --tools FILE",
    "expected tokenizer=": "expected --tokenizer FILE",
    "(drop_failed)": "(--drop-failed leaves them out)",
    "min_reward=None": "--min-reward none",
    "set min_reward to none": "give --min-reward none",
    "longer than max_tokens=": "longer than --max-tokens ",
    "drop_long leaves": "--drop-long leaves",
    "(max_quarantined)": "(--max-quarantined)",
    ' on_bad_row="quarantine"': " --on-bad-row quarantine",
    ", max_quarantined=": " --max-quarantined ",
    " (export_preference takes those)": ", which nothing is exported from",
}
#: Stands for the call that adds a simulation again as it is.
_GIVEN = "add it again with"
#: The same for ``run``, whose simulation has its prompt and tools since it was added.
_SET: Mapping[str, str] = {
    f"from the option system_prompt, {_PLACES}": f"{_GIVEN} --system-prompt FILE --replace",
    f"from the option tools, {_PLACES}": f"{_GIVEN} --tools FILE --replace",
    "(drop_failed)": "(--set drop_failed=true leaves them out)",
    "min_reward=None": "--set min_reward=none",
    "set min_reward to none": "give --set min_reward=none",
    "drop_long leaves": "--set drop_long=true leaves",
    ' on_bad_row="quarantine"': " --set on_bad_row=quarantine",
    ", max_quarantined=": " --set max_quarantined=",
}
_ADDED = re.compile(rf"{_GIVEN} --[a-z-]+ FILE --replace")
_OPTION = re.compile(r"([a-z_]+):")
_OPTIONS = frozenset({*plain(SftOptions()), *plain(PairOptions()), "format", "output"})


def typed(text: str) -> str:
    """For ``export``, ``preference``, ``check`` and ``inspect``."""
    return _said(text, _TYPED)


def to_set(text: str, again: str | None = None) -> str:
    """For ``run``. ``again``: the call that adds the simulation again with all that it has.

    It is empty where that is a copy of what a store holds.
    """
    said = _said(text, _SET)
    if again == "":
        return _ADDED.sub("put it into profile.json beside the rows in the store", said)
    return said.replace(_GIVEN, f"{_GIVEN}: {again}") if again else said


def option(problem: str) -> str:
    """``max_tokens: expected …`` as ``--max-tokens: expected …``."""
    named = _OPTION.match(problem)
    if named is None or named[1] not in _OPTIONS:
        return typed(problem)
    return typed(f"--{named[1].replace('_', '-')}{problem[named.end(1) :]}")


def _said(text: str, words: Mapping[str, str]) -> str:
    for library, ours in words.items():
        text = text.replace(library, ours)
    return text
