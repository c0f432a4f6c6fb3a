"""What a reply must not quote: the values of a privileged block, prepared for the search."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import orjson

from whileai_export.core.folding import fold, visible
from whileai_export.core.leaves import leaves
from whileai_export.core.numbers import number_text, number_token
from whileai_export.core.sentences import sentences
from whileai_export.core.skeleton import skeleton

#: A value of fewer characters is too common to be a quote; so is one with less left of it folded.
MIN_CHARACTERS = 12
MIN_FOLDED = 8
#: A longer value is also searched sentence by sentence, where a sentence is long enough.
LONG = 80
MIN_SENTENCE = 30

_LARGEST_KEPT = 4096


class Piece(NamedTuple):
    """A value, or one sentence of it, as it was written, with its skeleton."""

    text: str
    bones: bytes
    number: bool = False

    def quoted_in(self, folded: str) -> bool:
        """Whether a text in normal form quotes this; a number counts as a whole token only."""
        if self.number:
            return number_token(self.text).search(folded) is not None
        kept = len(self.text) <= _LARGEST_KEPT
        return (_folded(self.text) if kept else fold(self.text)) in folded


class Needle(NamedTuple):
    """One value of a privileged block: where it stands, and what counts as quoting it."""

    field: str
    pieces: tuple[Piece, ...]
    """The whole value first, then the sentences that are searched by themselves."""
    rest: tuple[Piece, ...] = ()
    """The sentences too short for that, which still must be told before the whole is told."""
    bones: tuple[bytes, ...] = ()
    """A text that quotes a piece holds one of these in its skeleton."""


_folded = lru_cache(maxsize=512)(fold)

Prepared: TypeAlias = tuple[tuple[Piece, ...], tuple[Piece, ...], tuple[bytes, ...]]


def needles(privileged: object) -> tuple[Needle, ...]:
    """Every value of a privileged block that is long enough to be recognised."""
    if not privileged:
        return ()
    try:
        key = orjson.dumps(privileged)
    except TypeError:
        return _of_tree(privileged)
    return _of_block(key) if len(key) <= _LARGEST_KEPT else _of_tree(privileged)


@lru_cache(maxsize=256)
def _of_block(key: bytes) -> tuple[Needle, ...]:
    return _of_tree(orjson.loads(key))


def _of_tree(privileged: object) -> tuple[Needle, ...]:
    found = []
    for field, value in _values(privileged, "" if isinstance(privileged, dict) else "privileged"):
        prepared = _prepared(value)
        if prepared is not None:
            found.append(Needle(field, *prepared))
    return tuple(found)


def _values(block: object, root: str) -> list[tuple[str, Any]]:
    """Every value with its path; of a value that is JSON text also the values in it."""
    found = leaves(block, root)
    for field, value in found.copy():
        if isinstance(value, str) and value[:1] in ("{", "["):
            found += _values(_read(value), field)
    return found


def _prepared(value: object) -> Prepared | None:
    if isinstance(value, str):
        return _cached(value) if len(value) <= _LARGEST_KEPT else _of_text(value)
    number = number_text(value)
    return None if number is None else _of_number(number)


def _read(text: str) -> object:
    try:
        return orjson.loads(text)
    except ValueError:
        return None


def _of_text(value: str) -> Prepared | None:
    bones = skeleton(value)
    if bones.isdigit():
        number = number_text(fold(value))
        if number is not None:
            return _of_number(number)
    # What has enough letters is long enough; anything else is counted in full.
    length = len(value) if len(bones) >= MIN_CHARACTERS else len(visible(value))
    if length < MIN_CHARACTERS or _folded_length(value, bones, MIN_FOLDED) < MIN_FOLDED:
        return None
    whole = Piece(value.strip(), bones)
    if length <= LONG or len(visible(value)) <= LONG:
        return ((whole,), (), (bones,))
    return _of_long_text(whole)


_cached = lru_cache(maxsize=512)(_of_text)


def _of_long_text(whole: Piece) -> Prepared:
    searched: list[Piece] = []
    rest: list[Piece] = []
    for text in sentences(whole.text):
        piece = Piece(text, skeleton(text))
        long = _folded_length(text, piece.bones, MIN_SENTENCE) >= MIN_SENTENCE
        (searched if long else rest).append(piece)
    if len(searched) + len(rest) < 2 or not searched:
        return ((whole,), (), (whole.bones,))
    # The whole holds each of its sentences, so their skeletons stand for its own.
    bones = tuple(dict.fromkeys(piece.bones for piece in searched))
    return ((whole, *searched), tuple(rest), bones)


def _folded_length(text: str, bones: bytes, enough: int) -> int:
    return len(bones) if len(bones) >= enough else len(fold(text))


def _of_number(number: str) -> Prepared:
    bones = skeleton(number)
    return ((Piece(number, bones, number=True),), (), (bones,))
