"""Folders and files that only their owner may read."""

from __future__ import annotations

import fcntl
import os
import re
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from whileai_export.io.part import cannot_write, make_folder

_FETCHED = re.compile(r"whileai_export\.[0-9a-f]{16}\.fetched")


def private_folder(folder: Path) -> None:
    """Makes a folder that only its owner may enter; one that exists becomes so."""
    try:
        make_folder(folder, private=True)
        folder.chmod(0o700)
    except OSError as error:
        raise cannot_write(folder, error) from error


@contextmanager
def fetched_folder() -> Iterator[Path]:
    """A private temporary folder, removed at the end, or by the next run after a kill."""
    root = Path(tempfile.gettempdir())
    for _ in leftovers(root, _FETCHED):
        pass
    with ExitStack() as held:
        try:
            folder = held.enter_context(scratch_folder(root, "whileai_export.", ".fetched"))
        except OSError as error:
            raise cannot_write(root, error) from error
        yield folder


@contextmanager
def scratch_folder(root: Path, prefix: str, suffix: str) -> Iterator[Path]:
    """A private folder of a new name, locked until it is removed at the end."""
    folder, number = _locked_folder(root, prefix, suffix)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(number)


def leftovers(root: Path, names: re.Pattern[str]) -> Iterator[Path]:
    """The scratch folders that killed runs left, each removed when it has been looked at."""
    for name in os.listdir(root):
        if names.fullmatch(name):
            with suppress(OSError), _held_if_free(root / name):
                yield root / name
                shutil.rmtree(root / name)


def _locked_folder(root: Path, prefix: str, suffix: str) -> tuple[Path, int]:
    while True:
        folder = root / f"{prefix}{secrets.token_hex(8)}{suffix}"
        folder.mkdir(0o700)
        with suppress(FileNotFoundError):  # taken for a leftover before it was locked
            number = os.open(folder, os.O_RDONLY)
            with suppress(OSError):
                fcntl.flock(number, fcntl.LOCK_EX)
            if folder.exists():
                return folder, number
            os.close(number)


@contextmanager
def _held_if_free(folder: Path) -> Iterator[None]:
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(number)
