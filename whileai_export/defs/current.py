"""Whether the files of a simulation are of its present bytes, options and code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias

from whileai_export.defs.dataset import Dataset, code_version
from whileai_export.defs.defaults import ASSETS, DEFAULTS
from whileai_export.defs.inputs import SimulationInput
from whileai_export.defs.resources import Folders
from whileai_export.defs.step import chosen
from whileai_export.pipeline.records import read_record
from whileai_export.shared.errors import SourceError

Standing: TypeAlias = Literal["current", "refused", "due"]


def digests(dataset: Dataset, folders: Folders) -> dict[str, str]:
    """The digest of the configured options of every asset; what a run said is not in it."""
    return {
        asset: chosen(dataset, asset, DEFAULTS[asset], folders, {}).configured_digest
        for asset in ASSETS
    }


def standing(
    folders: Folders, name: str, now: SimulationInput, configured: Mapping[str, str]
) -> Standing:
    """Due is what was never exported, failed by a crash, or changed since.

    A gate would refuse the same bytes under the same options and code again, so that is no
    reason to run. A refusal of anything else is: until something passes, no version takes the
    simulation. A backfill under other options stands until the configured options change.
    """
    found = {asset: _of_asset(folders, asset, name, now, configured[asset]) for asset in ASSETS}
    if "refused" in (found["graded_simulations"], found["training_rows"]):
        return "refused"
    if "due" in found.values():
        return "due"
    return "refused" if "refused" in found.values() else "current"


def changed(
    folders: Folders, name: str, now: SimulationInput, configured: Mapping[str, str]
) -> list[str]:
    """In what the latest attempts at a simulation differ from what one would be now.

    Nothing where there was none; a step that wrote nothing is named.
    """
    refusals = {asset: _read(folders.refusal(asset, name)) for asset in ASSETS}
    reports = {asset: _read(folders.report(asset, name)) for asset in ASSETS[1:]}
    if not any([*refusals.values(), *reports.values()]):
        return []
    found = dict.fromkeys(f"{asset} is not there" for asset, r in reports.items() if r is None)
    found |= dict.fromkeys(
        what
        for asset in ASSETS
        for digest, record in (
            ("options_digest", refusals[asset]),
            ("configured_digest", reports.get(asset)),
        )
        if record is not None
        for what in _differing(record, digest, now, configured[asset])
    )
    return [what for what in ("input", "options", "code") if what in found] or [*found]


def _differing(
    record: Mapping[str, Any], digest: str, now: SimulationInput, configured: str
) -> Iterator[str]:
    if record.get("input") != now.identity():
        yield "input"
    if record.get(digest) != configured:
        yield "options"
    if record.get("code_version") != code_version():
        yield "code"


def _of_asset(
    folders: Folders, asset: str, name: str, now: SimulationInput, configured: str
) -> Standing:
    refusal = _read(folders.refusal(asset, name))
    if _same(refusal, "options_digest", now, configured):
        return "refused"
    if refusal is not None:
        return "due"
    if asset == "graded_simulations":
        return "current"
    report = _read(folders.report(asset, name))
    return "current" if _same(report, "configured_digest", now, configured) else "due"


def _same(
    record: Mapping[str, Any] | None, digest: str, now: SimulationInput, configured: str
) -> bool:
    return record is not None and not list(_differing(record, digest, now, configured))


def _read(path: Path) -> dict[str, Any] | None:
    """A record; a damaged one is as good as none, so that it is written again."""
    try:
        return read_record(path)
    except SourceError:
        return None
