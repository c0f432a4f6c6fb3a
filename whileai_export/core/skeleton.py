"""A cheap necessary condition of a quote: the letters and digits of ASCII, nothing else.

``fold(value) in fold(text)`` implies ``skeleton(value) in skeleton(text)``, and a skeleton costs a
fiftieth of a fold. The condition holds because a skeleton is what a fold keeps of a text's ASCII
letters and digits, taken without folding wherever no character could fold to one of them.
"""

from __future__ import annotations

import re
import string

from whileai_export.core.folding import fold

_KEPT = (string.ascii_letters + string.digits).encode()
_OTHER = bytes(byte for byte in range(256) if byte not in _KEPT)
_LOWER = bytes(range(256)).lower()
_ASCII = bytes(range(128))

#: Accents that join an ASCII letter before them.
_ACCENTS = "\u0300-\u036f"
#: Every character that folds to ASCII letters or digits, and some that do not.
_UNEASY = re.compile(
    f"[{_ACCENTS}ªº²³¹¼-¾ßİ\u0132\u0133\u013f\u0140\u0149\u017f\u01c4-\u01f3\u02b0-\u02ff"
    "\u1d00-\u1dff\u1e9a\u1e9e\u2070-\u209f\u20a8\u2100-\u218f\u2460-\u24ff\u2c7c\u2c7d"
    "\u3200-\u33ff\ua720-\ua7ff\uab30-\uab6f\ufb00-\ufb4f\uff10-\uff19\uff21-\uff3a\uff41-\uff5a"
    "\U00010000-\U0001f2ff\U0001fb00-\U0010ffff]"
)


def skeleton(text: str) -> bytes:
    """The ASCII letters and digits of ``fold(text)``."""
    raw = text.encode("utf-8", "surrogatepass")
    if len(raw) != len(text):
        foreign = raw.translate(None, _ASCII).decode("utf-8", "surrogatepass")
        if _UNEASY.search(foreign):
            raw = _eased(text, set(_UNEASY.findall(foreign))).encode("utf-8", "surrogatepass")
    return raw.translate(_LOWER, _OTHER)


def _eased(text: str, uneasy: set[str]) -> str:
    if any("\u0300" <= character <= "\u036f" for character in uneasy):
        return fold(text)
    for character in uneasy:
        text = text.replace(character, fold(character))
    return text
