"""Folders and files that only their owner may read."""

from __future__ import annotations

import fcntl
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from whileai_export.io.part import cannot_write, make_folder

_PREFIX, _SUFFIX = "whileai_export.", ".fetched"


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
    for left in root.glob(f"{_PREFIX}*{_SUFFIX}"):
        with suppress(OSError):
            _remove_if_free(left)
    try:
        folder, number = _locked_folder(root)
    except OSError as error:
        raise cannot_write(root, error) from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(number)


def _locked_folder(root: Path) -> tuple[Path, int]:
    while True:
        folder = root / f"{_PREFIX}{secrets.token_hex(8)}{_SUFFIX}"
        folder.mkdir(0o700)
        with suppress(FileNotFoundError):  # taken for a leftover before it was locked
            number = os.open(folder, os.O_RDONLY)
            with suppress(OSError):
                fcntl.flock(number, fcntl.LOCK_EX)
            if folder.exists():
                return folder, number
            os.close(number)


def _remove_if_free(folder: Path) -> None:
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder)
    finally:
        os.close(number)
