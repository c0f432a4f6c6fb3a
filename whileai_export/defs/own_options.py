"""Options that a run had of its own: the next has them no more, unless export.toml says them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from whileai_export.defs.choices import RUN_CONFIG
from whileai_export.defs.defaults import CONFIGS
from whileai_export.defs.resources import Folders
from whileai_export.pipeline.records import read_record
from whileai_export.shared.careful import PUBLISHED, PUBLISHED_PAIRS
from whileai_export.shared.errors import SourceError


def own_options(record: Mapping[str, Any]) -> dict[str, Any]:
    """What the run's config chose in an attempt, by its report or its refusal.

    Nothing where that came to the options that are configured anyway.
    """
    if record.get("options_digest") == record.get("configured_digest"):
        return {}
    chosen = record.get("options_from", {}).items()
    options = record.get("options", {})
    return {name: _asked(options.get(name)) for name, by in chosen if by == RUN_CONFIG}


def _asked(value: Any) -> Any:
    """Of columns those that somebody asked for: the careful ones are always there."""
    careful = {*PUBLISHED, *PUBLISHED_PAIRS}
    return [name for name in value if name not in careful] if isinstance(value, list) else value


def of_latest_attempt(folders: Folders, name: str) -> dict[str, Any]:
    """What the run's config chose in the latest attempt at a simulation, over all of its steps."""
    found: dict[str, Any] = {}
    for asset in CONFIGS:
        record = _read(folders, asset, name, refused=True) or _read(folders, asset, name)
        found |= own_options(record or {})
    return found


def otherwise(attempt: Mapping[str, Any], folders: Folders, asset: str, name: str) -> str:
    """What a refused attempt had otherwise than the one that stands published.

    Only where a run chose it: what was decided otherwise in export.toml is no surprise.
    """
    published = _read(folders, asset, name) if asset in CONFIGS else None
    if published is None:
        return ""
    now, then = attempt.get("options", {}), published.get("options", {})
    names = [
        option
        for option in dict.fromkeys((*own_options(published), *own_options(attempt)))
        if now.get(option) != then.get(option)
    ]
    if not names:
        return ""
    return (
        f"; it ran with {_told(names, now)}, what stands published with {_told(names, then)}:"
        " export.toml keeps a decision for every run"
    )


def _told(names: Iterable[str], options: Mapping[str, Any]) -> str:
    return ", ".join(_assigned(names, options))


def _assigned(names: Iterable[str], options: Mapping[str, Any]) -> Iterator[str]:
    for name in names:
        value = options.get(name)
        said = ",".join(value) if isinstance(value, list) else value
        yield f"{name}={said if isinstance(said, str) else json.dumps(said)}"


def _read(
    folders: Folders, asset: str, name: str, *, refused: bool = False
) -> dict[str, Any] | None:
    with suppress(SourceError):  # a damaged record says nothing
        return read_record((folders.refusal if refused else folders.report)(asset, name))
    return None
