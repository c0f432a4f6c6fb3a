"""A file under a temporary name of its own, locked while it is written.

The lock tells a file that is being written from one that a killed run left behind.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import re
import secrets
import stat
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from whileai_export.shared.errors import ExportError, OptionError

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def cannot_write(target: object, error: OSError) -> ExportError:
    """What to tell whoever wanted the file."""
    if error.errno in _FULL:
        return ExportError(
            f"{target}: no space left for it ({error.strerror}); what stood there is untouched"
        )
    return OptionError(f"{target}: cannot be written: {error.strerror}")


def check_room(target: Path) -> None:
    """Refuses a target whose folder takes no file, before anything is made of it."""
    above = Path(os.path.abspath(target.expanduser())).parents
    folder = next(path for path in above if os.path.isdir(path))
    if not os.access(folder, os.W_OK | os.X_OK):
        raise cannot_write(target, PermissionError(errno.EACCES, os.strerror(errno.EACCES)))


def make_folder(folder: Path, *, private: bool) -> list[Path]:
    """Makes the folders that are missing, and names them. Those that exist stay as they are."""
    above = [folder, *folder.parents]
    missing = above[: next((n for n, path in enumerate(above) if path.exists()), 0)]
    for path in reversed(missing):
        with suppress(FileExistsError):
            path.mkdir(0o700 if private else 0o777)
    return missing


def create(target: Path, *, private: bool) -> tuple[int, Path]:
    """A new locked file beside the target. Clears what killed runs left of the same target."""
    clear_leftovers(target)
    mode = 0o600 if private or target.exists() else 0o666
    while True:
        path = target.with_name(f".{_base(target)}.{secrets.token_hex(8)}.part")
        number = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, mode)
        with suppress(OSError):  # a file system without locks: nothing is cleared there either
            fcntl.flock(number, fcntl.LOCK_EX)
        if os.fstat(number).st_nlink:
            return number, path
        os.close(number)  # taken for a leftover before it was locked


def settle_mode(number: int, target: Path, *, private: bool) -> None:
    """Gives the new file the mode of the one that it replaces, unless it is private."""
    with suppress(FileNotFoundError):
        if not private:
            os.fchmod(number, stat.S_IMODE(target.stat().st_mode))


def clear_leftovers(target: Path) -> None:
    """Removes the temporary files of this target that nobody holds a lock on."""
    pattern = re.compile(rf"\.{re.escape(_base(target))}\.[0-9a-f]{{16}}\.part")
    for name in os.listdir(target.parent):
        if pattern.fullmatch(name):
            with suppress(OSError):
                _clear(target.with_name(name))


def _clear(path: Path) -> None:
    number = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        path.unlink()
    finally:
        os.close(number)


def _base(target: Path) -> str:
    """The target's name, or a short stand-in where a longer name would not fit."""
    name = os.fsencode(target.name)
    return target.name if len(name) <= 220 else hashlib.sha256(name).hexdigest()[:32]


@contextmanager
def one_at_a_time(folders: Iterable[Path]) -> Iterator[None]:
    """Holds folders against others who publish a set of files there: no two sets mix."""
    with ExitStack() as held:
        for folder in sorted({folder.resolve() for folder in folders if folder.is_dir()}):
            number = os.open(folder, os.O_RDONLY)
            held.callback(os.close, number)
            with suppress(OSError):  # a file system without locks
                fcntl.flock(number, fcntl.LOCK_EX)
        yield


def sync_folder(folder: Path) -> None:
    """Makes the names in a folder outlive a power cut, on file systems that can."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
