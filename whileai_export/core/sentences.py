"""The sentences of a text, also where lines end without a full stop."""

from __future__ import annotations

import re

#: What ends a sentence in other scripts, with or without white space after it: CJK, Arabic, Urdu,
#: Devanagari, Armenian, Ethiopic, Burmese, Khmer.
_OTHER_STOPS = (
    "\u3002\uff01\uff1f\uff61\u061f\u06d4\u0964\u0965\u0589\u1362\u1367\u104a\u104b\u17d4\u17d5"
)
_END = re.compile(
    rf"(?<=[.!?\u2026])[\"'\u201d\u2019\u00bb)\]*_]*\s+|(?<=[{_OTHER_STOPS}])|\n\s*\n"
)


#: What ends a part of a sentence that can stand by itself.
_CLAUSE = re.compile(r"(?<=[;\u061b\uff1b])\s+")


def sentences(text: str) -> list[str]:
    """Every sentence once: as white space around full stops divides them, and line by line.

    Both, because a line may end in the middle of a sentence or be one without a full stop. Of a
    sentence with semicolons also what stands between these.
    """
    parts = _END.split(text)
    for line in text.splitlines():
        parts += _END.split(line)
    for part in parts.copy():
        parts += _CLAUSE.split(part)
    return list(dict.fromkeys(part for part in map(str.strip, parts) if part))
