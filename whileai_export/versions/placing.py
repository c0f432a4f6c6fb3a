"""Files of a version: hard links of the published ones, copies where links are impossible."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from whileai_export.io.part import sync_folder

READ_ONLY = 0o444


def link(source: Path, target: Path) -> None:
    """A second name for a file; another file with the same bytes where that cannot be."""
    try:
        if source.stat().st_uid != os.geteuid():
            raise PermissionError  # nobody else's file can be made read-only
        os.link(source, target)
    except FileNotFoundError:
        raise
    except OSError:
        with suppress(FileNotFoundError):
            target.unlink()
        shutil.copyfile(source, target)
        _to_disk(target)


def write(target: Path, data: bytes) -> None:
    """A new file, brought to the disk."""
    target.write_bytes(data)
    _to_disk(target)


def settle(folder: Path) -> None:
    """Make every file read-only, and every name outlive a power cut."""
    for path, _, files in os.walk(folder):
        for name in files:
            Path(path, name).chmod(READ_ONLY)
        sync_folder(Path(path))


def _to_disk(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
