"""The normal form in which a privileged value and what the assistant said are compared.

What a fold drops or folds, it drops or folds on both sides, so a quote stays a quote.
"""

from __future__ import annotations

import re
import string
from unicodedata import normalize

_INVISIBLE = [
    *range(0x00, 0x09),
    *range(0x0E, 0x1C),
    0x7F,
    0xAD,
    0x034F,
    0x061C,
    *range(0x180B, 0x1810),
    *range(0x200B, 0x2010),
    *range(0x202A, 0x202F),
    *range(0x2060, 0x2070),
    *range(0xFE00, 0xFE10),
    0xFEFF,
    *range(0xE0000, 0xE01F0),
]
_QUOTES = "'\"´ʹʺʻʼʽ‘’‚‛“”„‟‹›«»′″‵‶「」『』〝〞〟"
_BRACKETS = "()[]{}"
_EMPHASIS = "*_~`"
_DASHES = "‐‑‒–—―⁃−⸺⸻"

_UNSEEN = dict.fromkeys(_INVISIBLE)
# NFKC turns some quotes into a space and an accent, so quotes go first.
_BEFORE = dict.fromkeys([*_INVISIBLE, *map(ord, _QUOTES)])
_AFTER = {
    **dict.fromkeys([*_INVISIBLE, *map(ord, _QUOTES + _BRACKETS + _EMPHASIS)]),
    **dict.fromkeys(map(ord, _DASHES), "-"),
    **dict(zip(map(ord, "。、"), ".,", strict=True)),
}
_CLOSING = re.compile(r"[.,;:!?]+(?=\s|\Z)")
_DASH = re.compile(r"\s*-[\s-]*")
_ENDS = string.punctuation + string.whitespace


def fold(text: str) -> str:
    """The text in normal form: what it says, without how it is written."""
    if text.isascii():
        text = text.lower()
    else:
        text = text.translate(_BEFORE)
        for _ in range(2):  # a folded letter may come apart further, and its parts may fold
            text = normalize("NFKC", text).casefold()
        text = normalize("NFKC", text)
    text = _CLOSING.sub("", text.translate(_AFTER))
    return " ".join(_DASH.sub("-", text).split()).strip(_ENDS)


def visible(text: str) -> str:
    """The text without invisible characters and with its white space collapsed."""
    if not text.isascii():
        text = text.translate(_UNSEEN)
    return " ".join(text.split())
