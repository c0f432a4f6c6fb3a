"""One file published, and what lies in a folder then."""

from __future__ import annotations

from pathlib import Path

from whileai_export.io.staging import Staging, Written

OLD, NEW = b"old\n", b"new\n"


def publish(target: Path | str, data: bytes = NEW, **options) -> list[Written]:
    """One file, staged and put in place."""
    with Staging() as staging:
        staging.open(target, **options).write(data)
        return staging.publish()
