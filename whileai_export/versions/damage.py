"""What helps where a version is no more what was cut, and the next one cannot be."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from whileai_export.shared.errors import SourceError
from whileai_export.versions.manifest import NewerSchema
from whileai_export.versions.shelf import Shelf


def way_on(shelf: Shelf, name: str) -> str:
    """How the dataset gets rid of a damaged version."""
    folder = shelf.folder(name).relative_to(shelf.home).as_posix()
    return f"restore the folder {folder} from a copy, or remove it"


@contextmanager
def parent(shelf: Shelf, name: str) -> Iterator[None]:
    """Reading the version before. Where that is damaged, it is said what to do about it."""
    try:
        yield
    except NewerSchema:
        raise
    except SourceError as error:
        raise SourceError(_told(shelf, name, str(error))) from error
    except OSError as error:
        path = Path(str(error.filename))
        place = path.relative_to(shelf.root) if path.is_relative_to(shelf.root) else path
        gone = isinstance(error, FileNotFoundError)
        problem = "it is gone" if gone else f"cannot be read: {error.strerror}"
        raise SourceError(_told(shelf, name, f"{place}: {problem}")) from error


def _told(shelf: Shelf, name: str, problem: str) -> str:
    return (
        f"{problem}. Nothing is cut after a damaged version:"
        f" `whileai-export verify {shelf.called(name)}` names all that is not as it was cut;"
        f" then {way_on(shelf, name)}, and cut again"
    )
