"""Numbers long enough to be a secret, and how a text may write them."""

from __future__ import annotations

import re
from functools import lru_cache

MIN_DIGITS = 5

#: Past this an integer is no number that anybody says, and turning it into text is slow.
_MOST_BITS = 1024
_MOST_DIGITS = 300
#: Ids become floats where a table has gaps; no larger integer stands in JSON.
_MOST_WHOLE = 2.0**64
_WRITTEN = re.compile(r"[0-9]+(?:\.[0-9]+)?|[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")


def written(value: object) -> str:
    """A number in plain digits, 48213.0 like 48213; nothing for what is no such number."""
    if isinstance(value, bool):
        return ""
    if isinstance(value, int):
        return str(abs(value)) if value.bit_length() <= _MOST_BITS else ""
    if not isinstance(value, float) or not abs(value) < _MOST_WHOLE:
        return ""
    # Whole numbers that are large have an exponent in ``repr``, and none when people say them.
    text = str(abs(int(value))) if value.is_integer() else repr(abs(value))
    return "" if "e" in text else text


def number_text(value: object) -> str | None:
    """A number of 5 digits or more, or text that is one, in plain digits; None for others."""
    if isinstance(value, str):
        plain = len(value) <= _MOST_DIGITS and _WRITTEN.fullmatch(value)
        text = _without_zeros(value.replace(",", "")) if plain else ""
    else:
        text = written(value)
    return text if sum(map(str.isdigit, text)) >= MIN_DIGITS else None


def _without_zeros(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


@lru_cache(maxsize=512)
def number_token(number: str) -> re.Pattern[str]:
    """Finds a number as a whole token of a text in normal form, also with ``1,000`` commas."""
    whole, point, fraction = number.partition(".")
    tail = rf"\.{re.escape(fraction)}0*" if point else r"(?:\.0+)?"
    plain = rf"(?<![0-9]\.){re.escape(whole)}{tail}(?!\w)(?!\.[0-9])"
    grouped = rf"(?<![0-9][.,]){int(whole):,}{tail}(?!\w)(?![.,][0-9])"
    return re.compile(rf"(?<!\w)(?:{plain}|{grouped})")
