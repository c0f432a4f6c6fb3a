"""What somebody may have meant who named what there is not."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The end of a refusal that names the nearest word that is known, where one is near."""
    near = get_close_matches(word, list(known), 1)
    return f"; did you mean {near[0]!r}?" if near else ""
