"""What is said of a version that is not there: what there is, and how that is called."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import TYPE_CHECKING

from whileai_export.shared.errors import OptionError

if TYPE_CHECKING:
    from whileai_export.versions.shelf import Shelf

_MANY = 5


def no_version(shelf: Shelf, word: str, others: list[Shelf]) -> OptionError:
    """That a word means no version of a dataset; ``others`` are the shelves of named ones."""
    gone = shelf.named(word)
    if gone is not None:
        what = shelf.called(word.upper()) if shelf.is_latest(word) else f"the tag {word!r}"
        left = _few(shelf, "none left")
        return OptionError(f"{what} names {shelf.called(gone)}, which is gone; {left}")
    named = others if shelf.dataset is None else []
    said = _same_word(named, word) or _near(shelf, word) or _of_dataset(named, word)
    if not said:
        full = [other for other in (shelf, *named) if other.names()]
        said = "; ".join(_few(other) for other in full[:_MANY] or [shelf])
    return OptionError(f"there is no version {shelf.called(word)!r}; {said}")


def no_dataset(dataset: str, version: str, known: Iterable[Shelf]) -> OptionError:
    """That no dataset with versions has this name."""
    shelves = {shelf.dataset: shelf for shelf in known if shelf.dataset is not None}
    near = get_close_matches(dataset, [name for name in shelves if name], 1)
    if near:
        shelf = shelves[near[0]]
        said = f"did you mean {shelf.called(version)}?" if shelf.meant(version) else _few(shelf)
    elif shelves:
        said = "; ".join(_few(shelf) for shelf in list(shelves.values())[:_MANY])
    else:
        said = "no named dataset has versions"
    return OptionError(f"there is no dataset {dataset!r} with versions; {said}")


def _same_word(others: Iterable[Shelf], word: str) -> str:
    found = [other.called(word) for other in others if other.meant(word)]
    return f"did you mean {' or '.join(found[:_MANY])}?" if found else ""


def _near(shelf: Shelf, word: str) -> str:
    names = shelf.names()
    tags = [tag for tag, version in shelf.moves.current().items() if version in names]
    near = get_close_matches(word, [*names, *tags], 1)
    return f"did you mean {shelf.called(near[0])}?" if near else ""


def _of_dataset(others: Iterable[Shelf], word: str) -> str:
    shelves = {str(other.dataset): other for other in others}
    near = get_close_matches(word, shelves, 1)
    return f"of the dataset {near[0]} {_few(shelves[near[0]])}" if near else ""


def _few(shelf: Shelf, none: str = "none yet") -> str:
    names = [shelf.called(name) for name in shelf.names()]
    if len(names) > _MANY:
        names = [names[0], "...", *names[1 - _MANY :]]
    return f"there are {', '.join(names) or f'{none}: `whileai-export cut` makes one'}"
