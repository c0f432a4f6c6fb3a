"""The versions of a dataset at a glance, and one of them in full."""

from __future__ import annotations

from whileai_export.shared.errors import SourceError
from whileai_export.shared.schema import JsonObject
from whileai_export.versions.manifest import read_manifest
from whileai_export.versions.shelf import Shelf


def listed(shelf: Shelf) -> list[JsonObject]:
    """Every version, oldest first; one that cannot be read says why."""
    return [_entry(shelf, name) for name in shelf.names()]


def show(shelf: Shelf, word: str) -> JsonObject:
    """The manifest of a version, with its tags."""
    name = shelf.find(word)
    manifest = read_manifest(shelf.folder(name))
    return {**manifest, "tags": _tags(shelf, name), "latest": shelf.latest() == name}


def _entry(shelf: Shelf, name: str) -> JsonObject:
    told: JsonObject = {
        "version": name,
        "latest": shelf.latest() == name,
        "tags": _tags(shelf, name),
    }
    try:
        manifest = read_manifest(shelf.folder(name))
    except SourceError as error:
        return {**told, "problem": str(error)}
    wanted = ("cut_at", "parent", "counts")
    return {
        **told,
        **{key: manifest[key] for key in wanted},
        "simulations": len(manifest["inputs"]),
        "left_out": len(manifest["left_out"]),
    }


def _tags(shelf: Shelf, name: str) -> list[str]:
    return sorted(tag for tag, version in shelf.moves.current().items() if version == name)
