"""Names that can be a folder, a partition and a part of every ``row_id``."""

from __future__ import annotations

import re

from whileai_export.shared.errors import SourceError

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


def plain_name(name: str) -> str:
    """The name itself where it is one plain word that can be a folder; refused otherwise."""
    if not is_plain(name):
        raise SourceError(
            "simulation name: expected 1 to 128 of A-Z a-z 0-9 . _ - beginning with a letter or"
            f" a digit, got {name[:140]!r}"
        )
    return name


def is_plain(name: str) -> bool:
    """Whether a simulation can have that name."""
    return _PLAIN.fullmatch(name) is not None
