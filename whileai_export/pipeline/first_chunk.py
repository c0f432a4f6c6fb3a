"""What a loader that guesses types from the first 10 MB would make of a file, without loading it.

Measured with datasets 5.2: lists of objects whose keys differ come back intact, whatever is in
them; everything else gets one type, the one that the first chunk shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

import orjson

from whileai_export.pipeline.dates import is_date

FIRST_BYTES = 10 << 20
Path: TypeAlias = tuple[str, ...]


class FirstChunk:
    """The types that a loader guesses, learnt row by row."""

    def __init__(self) -> None:
        self.kinds: dict[Path, set[str]] = {}
        self.keys: dict[Path, frozenset[str]] = {}
        self.loose: set[Path] = set()
        """Places of objects that are kept as they are, because their keys differ."""

    def learn(self, value: Any, at: Path = ()) -> None:
        """One more value of the first chunk."""
        self.kinds.setdefault(at, set()).add(_kind(value))
        if isinstance(value, dict):
            keys = frozenset(value)
            if at and (not keys or self.keys.setdefault(at, keys) != keys):
                self.loose.add(at)
        for place, inner in _inside(value, at):
            self.learn(inner, place)

    def settle(self) -> Iterator[tuple[Path, str]]:
        """The chunk is over: what in it comes back changed."""
        for at in [at for at, kinds in self.kinds.items() if _is_mixed(kinds)]:
            self.loose.add(at)
        for at, kinds in self.kinds.items():
            if not self._is_loose(at) and "text" not in kinds and "date" in kinds:
                yield at, "texts that look like dates become dates"

    def compare(self, value: Any, at: Path = ()) -> Iterator[tuple[Path, str]]:
        """What of a later value does not fit what was learnt."""
        if at in self.loose:
            return
        known = self.kinds.get(at)
        kind = _kind(value)
        if known is None:
            yield at, "it first comes after the first 10 MB"
            return
        if not _fits(kind, known):
            yield at, f"{kind} first comes after the first 10 MB"
            return
        if isinstance(value, dict) and at and self.keys.get(at, frozenset()) - value.keys():
            yield at, "an absent key comes back as null"
        for place, inner in _inside(value, at):
            yield from self.compare(inner, place)

    def _is_loose(self, at: Path) -> bool:
        return any(at[:n] in self.loose for n in range(1, len(at) + 1))


def _inside(value: Any, at: Path) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, dict):
        yield from (((*at, key), inner) for key, inner in value.items())
    elif isinstance(value, list):
        yield from (((*at, "[]"), inner) for inner in value)


def _kind(value: object) -> str:
    if isinstance(value, str):
        return "date" if is_date(value) else "text"
    return _KINDS[type(value)]


_KINDS = {
    dict: "an object",
    list: "a list",
    bool: "a bool",
    int: "a whole number",
    float: "a fraction",
    type(None): "null",
}
_FITS = {
    "a whole number": {"a whole number", "a fraction"},
    "date": {"date", "text"},
    "text": {"text"},
}


def _fits(kind: str, known: set[str]) -> bool:
    return kind == "null" or not known.isdisjoint(_FITS.get(kind, {kind}))


def _is_mixed(kinds: set[str]) -> bool:
    """Kinds that have no type in common are kept as they are."""
    groups = {
        "text" if k == "date" else "number" if k in ("a fraction", "a whole number") else k
        for k in kinds - {"null"}
    }
    return len(groups) > 1


def unfit(lines: Iterable[bytes]) -> Iterator[tuple[int, str, str]]:
    """(row, place, problem) of what a guessing loader would change or fail on."""
    chunk, size, told = FirstChunk(), 0, set[tuple[Path, str]]()
    open_ = True
    for number, line in enumerate(lines):
        if size > FIRST_BYTES and open_:
            open_ = False
            yield from _told(number, chunk.settle(), told)
        size += len(line) + 1
        row = orjson.loads(line)
        if open_:
            chunk.learn(row)
        else:
            yield from _told(number, chunk.compare(row), told)
    if open_:
        yield from _told(0, chunk.settle(), told)


def _told(
    row: int, found: Iterable[tuple[Path, str]], before: set[tuple[Path, str]]
) -> Iterator[tuple[int, str, str]]:
    for at, problem in found:
        if (at, problem) not in before:
            before.add((at, problem))
            yield row, spelled(at), problem


def spelled(at: Path) -> str:
    """``$.messages[].content``."""
    return "$" + "".join(part if part == "[]" else f".{part}" for part in at)
