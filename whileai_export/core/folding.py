"""The normal form in which a privileged value and what the assistant said are compared.

What a fold drops or folds, it drops or folds on both sides, so a quote stays a quote.
"""

from __future__ import annotations

import re
import string
from unicodedata import normalize

# Control characters, the soft hyphen, what has no width, and variation selectors.
_INVISIBLE = (
    r"\x00-\x08\x0e-\x1b\x7f\xad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    r"\u2060-\u206f\ufe00-\ufe0f\ufeff"
)
_TAGS = re.compile(r"[\U000e0000-\U000e01ef]+")
_QUOTES = (
    r"'\"\xb4\xab\xbb\u02b9-\u02bd\u2018-\u201f\u2032\u2033\u2035\u2036\u2039\u203a"
    r"\u300c-\u300f\u301d-\u301f"
)
_BRACKETS = r"()\[\]{}"
_EMPHASIS = r"*_~`"

_UNSEEN = re.compile(f"[{_INVISIBLE}]+")
# NFKC turns some quotes into a space and an accent, so these go before it.
_BEFORE = re.compile(f"[{_INVISIBLE}{_QUOTES}]+")
_AFTER = re.compile(f"[{_INVISIBLE}{_QUOTES}{_BRACKETS}{_EMPHASIS}]+")
_IN_ASCII = {code: None for code in range(128) if _AFTER.match(chr(code))}
_DASHES = re.compile(r"[\u2010-\u2015\u2043\u2212\u2e3a\u2e3b]")
# A run of closing punctuation before white space; it is met at its first character only.
_CLOSING = re.compile(r"[.,;:!?](?<![.,;:!?]{2})[.,;:!?]*+(?=\s|\Z)")
_DASH = re.compile(r"-[ -]+")
# What NFKC leaves of other scripts' stops: CJK, Arabic, Urdu, Devanagari, Armenian, Ethiopic,
# Burmese, Khmer.
_STOPS = {
    **dict.fromkeys(map(ord, "\u3001\u060c\u1363\u104a"), ","),
    **dict.fromkeys(map(ord, "\u3002\u06d4\u0964\u0965\u0589\u1362\u104b\u17d4\u17d5"), "."),
    **dict.fromkeys(map(ord, "\u061f\u1367"), "?"),
}
_ENDS = string.punctuation + string.whitespace


def fold(text: str) -> str:
    """The text in normal form: what it says, without how it is written."""
    text = text.lower().translate(_IN_ASCII) if text.isascii() else _fold_letters(text)
    text = " ".join(_CLOSING.sub("", text).split())
    return _DASH.sub("-", text.replace(" -", "-")).strip(_ENDS)


def _fold_letters(text: str) -> str:
    text = _TAGS.sub("", _BEFORE.sub("", text))
    for _ in range(2):  # a folded letter may come apart further, and its parts may fold
        text = normalize("NFKC", text).casefold()
    text = _AFTER.sub("", normalize("NFKC", text))
    return _DASHES.sub("-", text).translate(_STOPS)


def visible(text: str) -> str:
    """The text without invisible characters and with its white space collapsed."""
    return " ".join(_TAGS.sub("", _UNSEEN.sub("", text)).split())
