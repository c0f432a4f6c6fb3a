"""Where the versions of one dataset stand, how they are called, and who may add one."""

from __future__ import annotations

import fcntl
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from whileai_export.io.part import cannot_write, sync_folder
from whileai_export.shared.errors import ExportError, OptionError, SourceError
from whileai_export.versions.absent import no_version
from whileai_export.versions.log import Moves

LATEST = "LATEST"
NAME = re.compile(r"v(\d{4,})")
DATASET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_UNFINISHED = re.compile(r"\..+\.[0-9a-f]{16}\.part")


@dataclass(frozen=True, slots=True)
class Shelf:
    """The folder of versions of one dataset. A version on it is whole, always."""

    home: Path
    dataset: str | None = None

    @classmethod
    def of(cls, home: Path, dataset: str | None = None) -> Shelf:
        """The shelf of a dataset; of the unnamed one where no name is given."""
        if dataset and not DATASET.fullmatch(dataset):
            raise OptionError(f"dataset: expected letters, digits, . _ -, got {dataset!r}")
        shelf = cls(home, dataset)
        if not shelf.root.resolve().is_relative_to(home.resolve()):
            raise SourceError("versions: expected a folder under the home, got a link out of it")
        return shelf

    @classmethod
    def all(cls, home: Path) -> list[Shelf]:
        """Every shelf of a home that holds a version, the unnamed dataset's first."""
        with suppress(FileNotFoundError):
            found = sorted(path.name for path in (home / "versions").iterdir() if path.is_dir())
            named = [name for name in found if DATASET.fullmatch(name) and not NAME.fullmatch(name)]
            return [
                shelf for shelf in (cls.of(home, name) for name in (None, *named)) if shelf.names()
            ]
        return []

    @property
    def root(self) -> Path:
        """The folder that the versions stand in."""
        return self.home / "versions" / (self.dataset or "")

    @property
    def staged(self) -> Path:
        """Where the private canonical rows of the dataset are."""
        return self.home / "training_rows" / (self.dataset or "")

    @property
    def moves(self) -> Moves:
        """The tags, and where each of them was before."""
        return Moves(self.root / "tags.jsonl")

    def names(self) -> list[str]:
        """The versions that are there, oldest first."""
        return sorted((n for n in self._entries() if (self.root / n).is_dir()), key=_number)

    def newest(self) -> str | None:
        """The version that was cut last."""
        return next(reversed(self.names()), None)

    def latest(self) -> str | None:
        """What ``LATEST`` says."""
        with suppress(FileNotFoundError):
            return (self.root / LATEST).read_text("utf-8").strip() or None
        return None

    def next_name(self) -> str:
        """A name that no version has or had, as far as anybody remembers."""
        known = [*self._entries(), self.latest() or "", *self.moves.versions()]
        numbers = [_number(name) for name in known if NAME.fullmatch(name)]
        return f"v{max(numbers, default=0) + 1:04d}"

    def called(self, word: str) -> str:
        """A version, a tag or ``LATEST`` as it is typed."""
        return f"{self.dataset}/{word}" if self.dataset else word

    @staticmethod
    def is_latest(word: str) -> bool:
        """The word is ``LATEST``, in whatever case."""
        return word.upper() == LATEST

    def named(self, word: str) -> str | None:
        """The version that a tag or ``LATEST`` names, be it there or gone."""
        return self.latest() if self.is_latest(word) else self.moves.current().get(word)

    def meant(self, word: str) -> str | None:
        """The version that a name, a tag or ``LATEST`` means; None where there is no such one."""
        meant = self.named(word) or word
        return meant if meant in self.names() else None

    def find(self, word: str) -> str:
        """The version that a name, a tag or ``LATEST`` means; refused where there is none."""
        meant = self.meant(word)
        if meant is None:
            others = [shelf for shelf in Shelf.all(self.home) if shelf.dataset is not None]
            raise no_version(self, word, others)
        return meant

    def folder(self, name: str) -> Path:
        """The folder of a version."""
        return self.root / name

    @contextmanager
    def locked(self) -> Iterator[None]:
        """One cut at a time; what killed ones left is cleared, since nobody else is at work."""
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            number = os.open(self.root / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise cannot_write(self.root, error) from error
        try:
            with suppress(OSError):  # a file system without locks: nothing is cleared there
                fcntl.flock(number, fcntl.LOCK_EX)
                self._clear()
            yield
        finally:
            os.close(number)

    @contextmanager
    def unfinished(self, name: str) -> Iterator[Path]:
        """A folder beside the versions, gone at the end unless it became one."""
        folder = self.root / f".{name}.{secrets.token_hex(8)}.part"
        try:
            folder.mkdir()
            yield folder
        except OSError as error:
            raise cannot_write(self.folder(name), error) from error
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def publish(self, folder: Path, name: str) -> None:
        """Give a whole folder its name; what stands there already is never touched."""
        target = self.folder(name)
        if target.exists() or target.is_symlink():
            raise ExportError(f"{target}: it is there already; a version is never overwritten")
        folder.rename(target)
        sync_folder(self.root)

    def point(self, name: str) -> None:
        """Let ``LATEST`` name a version."""
        if self.latest() == name:
            return
        beside = self.root / f".{LATEST}.{secrets.token_hex(8)}.part"
        with beside.open("w", encoding="utf-8") as file:
            file.write(f"{name}\n")
            file.flush()
            os.fsync(file.fileno())
        beside.replace(self.root / LATEST)
        sync_folder(self.root)

    def _entries(self) -> list[str]:
        with suppress(FileNotFoundError):
            return [name for name in os.listdir(self.root) if NAME.fullmatch(name)]
        return []

    def _clear(self) -> None:
        for path in self.root.iterdir():
            if _UNFINISHED.fullmatch(path.name):
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path)
                else:
                    path.unlink()


def _number(name: str) -> int:
    return int(name[1:])
