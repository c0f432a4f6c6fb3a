"""The sentences of a text, also where lines end without a full stop."""

from __future__ import annotations

import re

_END = re.compile(
    r"(?<=[.!?\u2026])[\"'\u201d\u2019\u00bb)\]*_]*\s+|(?<=[\u3002\uff01\uff1f])|\n\s*\n"
)


def sentences(text: str) -> list[str]:
    """Every sentence once: as white space around full stops divides them, and line by line.

    Both, because a line may end in the middle of a sentence or be one without a full stop.
    """
    parts = _END.split(text)
    for line in text.splitlines():
        parts += _END.split(line)
    return list(dict.fromkeys(part for part in map(str.strip, parts) if part))
