"""What is said of a row that cannot be read, without a name that only its grader may see.

Roles, kinds and keys are named in an error. One of them may be a value of the privileged block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from whileai_export.core.leak import quoted_by_path, quotes
from whileai_export.core.needles import needles
from whileai_export.core.values import settle
from whileai_export.io.decode import decode
from whileai_export.pipeline.sides import SIDES, Match
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import ROW_DEPTH

#: A longer place is cut: it may be all keys of an object that is too deep.
_LONGEST = 160
_NAMED = re.compile(r"'[^']*'|`[^`]*`")


def without_private(bad: BadRow, raw: object) -> tuple[str, str]:
    """Place and problem of a row that cannot be read, as far as they may be said."""
    at, problem = bad.at, bad.problem
    try:
        blocks = [settle(block, ROW_DEPTH)[0] for block in _blocks(raw)]
    except BadRow:  # nobody knows what is private in it
        return "$", _NAMED.sub("another", problem)
    private = tuple(needle for block in blocks for needle in needles(block))
    if private:
        at = "$" if quoted_by_path(at, private) else at
        if quotes(problem, private):
            problem = _NAMED.sub("another", problem)
        if quotes(problem, private):
            problem = "expected a row that can be read"
    return at if len(at) <= _LONGEST else f"{at[:_LONGEST]}...", problem


def _blocks(raw: object) -> Iterator[object]:
    """The privileged blocks of a row, or of both sides of a pair."""
    if isinstance(raw, Match):
        yield from _blocks(raw.chosen)
        yield from _blocks(raw.rejected)
        return
    if isinstance(raw, bytes):
        try:
            raw = decode(raw)[0]
        except BadRow:
            return
    if isinstance(raw, dict):
        yield raw.get("privileged")
        for side in SIDES:
            if isinstance(raw.get(side), dict):
                yield raw[side].get("privileged")
