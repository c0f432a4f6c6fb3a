"""Which version a word means, and what is said of one that is no more as it was cut."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from whileai_export.cli.door import command
from whileai_export.shared.errors import SourceError
from whileai_export.shared.project import Project
from whileai_export.versions import Shelf
from whileai_export.versions.absent import no_dataset


def on_shelf(project: Project, word: str) -> tuple[Shelf, str]:
    """``v0002`` of the unnamed dataset, or ``support/v0002`` of a named one."""
    dataset, slash, version = word.rpartition("/")
    if not slash:
        return Shelf.of(project.home), version
    known = Shelf.all(project.home)
    for shelf in known:
        if shelf.dataset == dataset:
            return shelf, version
    raise no_dataset(dataset, version, known)


@contextmanager
def as_cut(shelf: Shelf, *words: str) -> Iterator[None]:
    """A file of these versions that is gone or damaged is named with the command for the rest."""
    try:
        yield
    except FileNotFoundError as error:
        names = [shelf.find(word) for word in words]
        gone = Path(str(error.filename))
        name = next((name for name in names if gone.is_relative_to(shelf.folder(name))), None)
        if name is None:
            raise
        raise SourceError(
            _told(shelf, name, f"{gone.relative_to(shelf.root)}: it is gone")
        ) from None
    except SourceError as error:
        names = [shelf.find(word) for word in words]
        name = next((name for name in names if f"{name}/" in str(error)), None)
        if error.line is None or name is None:
            raise
        raise SourceError(_told(shelf, name, str(error))) from None


def _told(shelf: Shelf, name: str, problem: str) -> str:
    verify = command("verify", shelf.called(name))
    return f"{problem}; this names all that is not as it was cut: {verify}"
