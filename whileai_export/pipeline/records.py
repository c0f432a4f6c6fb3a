"""Reports and refusals on disk: small JSON files that later steps, runs and nights read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from whileai_export.io.hashing import file_sha256
from whileai_export.io.staging import Staging
from whileai_export.shared.errors import SourceError

__all__ = ["file_sha256", "read_record", "record_bytes", "write_private"]


#: What is an object in every record that has it.
_OBJECTS = ("counts", "options", "options_from", "upstream")


def read_record(path: Path) -> dict[str, Any] | None:
    """The object in a file of ours; None where there is no such file."""
    try:
        found = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SourceError(f"{path.name}: cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not all(
        isinstance(found.get(name, {}), dict) for name in _OBJECTS
    ):
        raise SourceError(f"{path.name}: expected a JSON object, got a damaged file")
    return found


def record_bytes(record: Mapping[str, Any]) -> bytes:
    """A record as it stands on disk: indented, strict JSON."""
    return (json.dumps(record, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode()


def write_private(path: Path, record: Mapping[str, Any]) -> None:
    """Put a record in place whole, readable by its owner only."""
    with Staging() as staging:
        staging.open(path, private=True).write(record_bytes(record))
        staging.publish()
