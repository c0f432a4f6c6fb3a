"""``manifest.json``: everything that is known of a version, under a digest of its own."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TypeAlias

from whileai_export.shared.errors import SourceError
from whileai_export.shared.schema import JsonObject

Manifest: TypeAlias = JsonObject

SCHEMA = 1
MANIFEST = "manifest.json"
CARD = "card.md"
README = "README.md"


class NewerSchema(SourceError):
    """The manifest is whole, and a newer program wrote it."""


def sealed(content: JsonObject) -> Manifest:
    """The manifest with the digest that shows whether somebody edited it."""
    return {**content, "digest": seal_of(content)}


def seal_of(manifest: Manifest) -> str:
    """The sha256 of everything in it but the digest itself."""
    rest = {key: value for key, value in manifest.items() if key != "digest"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def read_manifest(folder: Path, *, doubted: bool = False) -> Manifest:
    """The manifest of a version. ``doubted``: whoever asks will look for edits by himself."""
    place = f"{folder.name}/{MANIFEST}"
    try:
        found = json.loads((folder / MANIFEST).read_bytes())
    except FileNotFoundError:
        raise SourceError(f"{place}: expected a manifest, found none") from None
    except ValueError:
        found = None
    if not isinstance(found, dict) or not isinstance(found.get("schema"), int):
        raise SourceError(f"{place}: expected a manifest, got a damaged file")
    if found["schema"] > SCHEMA:
        raise NewerSchema(
            f"{place}: it has schema {found['schema']}, this program reads up to {SCHEMA};"
            " read it with the newer program that wrote it"
        )
    if not doubted and found.get("digest") != seal_of(found):
        raise SourceError(f"{place}: it was edited after the version was cut")
    if found.get("version") != folder.name:
        raise SourceError(f"{place}: it is the manifest of {found.get('version')}")
    return found
