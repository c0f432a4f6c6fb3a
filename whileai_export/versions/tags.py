"""Names that people give to versions, and may give to another one later."""

from __future__ import annotations

import re

from whileai_export.shared.errors import OptionError
from whileai_export.shared.schema import JsonObject
from whileai_export.versions.manifest import read_manifest
from whileai_export.versions.shelf import LATEST, NAME, Shelf

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def tag(shelf: Shelf, word: str, name: str) -> JsonObject:
    """Let a tag name the version, and say which one it named before. Every move is logged."""
    if not _PLAIN.fullmatch(name) or NAME.fullmatch(name) or name.upper() == LATEST:
        raise OptionError(
            f"tag: expected 1 to 64 of A-Z a-z 0-9 . _ - that is no version's name, got {name!r}"
        )
    version = shelf.find(word)
    read_manifest(shelf.folder(version))
    return shelf.moves.add(name, version)
