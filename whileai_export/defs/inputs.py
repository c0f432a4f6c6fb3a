"""Which input a step accepts: the one that its upstream registered, and no other.

``blocking=True`` orders one run and is no lock, so a run that selects only a downstream asset
must notice by itself that what it would read was refused, or is not of the present simulation.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import dagster as dg

from whileai_export.defs.choices import CAREFUL
from whileai_export.defs.resources import SUFFIXES, Folders
from whileai_export.pipeline.records import read_record
from whileai_export.shared.errors import ExportError, SourceError
from whileai_export.versions.inputs import digests_of

TRAJECTORIES = tuple(f"trajectories{suffix}" for suffix in SUFFIXES)


class StaleInput(SourceError):
    """An input that is not the one the upstream registered. Passes once that has run again."""


class NoInput(StaleInput):
    """There is no simulation of that name."""


@dataclass(frozen=True, slots=True)
class SimulationInput:
    """The bytes of a simulation, and of the facts that lie beside them."""

    sha256: str
    facts_sha256: str
    bytes: int

    def identity(self) -> dict[str, str]:
        """As it stands in reports."""
        return {"sha256": self.sha256, "facts_sha256": self.facts_sha256}

    @property
    def digest(self) -> str:
        """Both in one word."""
        return hashlib.sha256(f"{self.sha256} {self.facts_sha256}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Upstream:
    """What an upstream step recorded: the sha256 that it stands for, in which run."""

    asset: str
    run_id: str
    sha256: str
    input: Mapping[str, str]
    told: Mapping[str, Any] = field(default_factory=dict)
    """What it was told, and how many rows it set aside."""

    def plain(self) -> dict[str, Any]:
        """As it stands in reports."""
        return {"asset": self.asset, "run_id": self.run_id, "sha256": self.sha256, **self.told}

    def expect(self, came: object) -> None:
        """Refuse bytes that are not the recorded ones."""
        if came != self.sha256:
            raise StaleInput(
                f"stale input: {self.asset} recorded sha256 {self.sha256[:12]} in run"
                f" {self.run_id[:8]}, but the file now has {str(came)[:12]};"
                f" materialize {self.asset} first"
            )

    def expect_input(self, now: SimulationInput) -> None:
        """Refuse a simulation that is not the recorded one any more, or has other facts."""
        if self.input != now.identity():
            raise StaleInput(
                f"stale input: {self.asset} stands for sha256 {self.input['sha256'][:12]} in run"
                f" {self.run_id[:8]}, but the simulation or its profile has changed since;"
                f" materialize {self.asset} first"
            )


def present_input(folders: Folders, name: str) -> SimulationInput:
    """The simulation as it lies on disk now."""
    with _reading(name):
        rows, facts = simulation_files(folders, name)
        return SimulationInput(**digests_of(rows, facts), bytes=rows.stat().st_size)


def identity(folders: Folders, name: str) -> dict[str, str]:
    """The simulation as it stands in reports; empty where it cannot be told which it is."""
    try:
        return present_input(folders, name).identity()
    except ExportError:
        return {}


def replaceable(folders: Folders, name: str) -> bool:
    """Whether another simulation can be put in its place: that is free, or its alone."""
    try:
        folders.simulation(name)
    except ExportError:
        return False
    return True


@contextmanager
def _reading(name: str) -> Iterator[None]:
    """What the disk refuses is said of the simulation; it may have gone since it was found."""
    try:
        yield
    except FileNotFoundError:
        raise StaleInput(f"simulation {name}: it changed while it was read; try again") from None
    except OSError as error:
        raise SourceError(f"simulation {name}: cannot be read: {error.strerror}") from error


def simulation_files(folders: Folders, name: str) -> tuple[Path, list[Path]]:
    """The file with the rows, and the files beside it that say how to read them."""
    source = folders.simulation(name)
    if not source.exists():
        raise NoInput(f"simulation {name}: expected a folder or a file, found none")
    found = [source / part for part in TRAJECTORIES] if source.is_dir() else [source]
    found = [path for path in found if path.is_file()]
    if len(found) != 1:
        raise SourceError(f"simulation {name}: expected one trajectories.jsonl, found {len(found)}")
    rows = folders.checked(found[0])
    stem = rows.name.removesuffix(".gz").removesuffix(".zst").removesuffix(".jsonl")
    beside = [rows.with_name(f"{stem}.meta.json"), rows.with_name("profile.json")]
    return rows, [folders.checked(path) for path in beside if path.is_file()]


def registered_input(
    context: dg.AssetExecutionContext, folders: Folders, key: dg.AssetKey, name: str
) -> Upstream:
    """The input that ``graded_simulations`` registered last, if it is still that."""
    found = context.instance.fetch_materializations(
        dg.AssetRecordsFilter(asset_key=key, asset_partitions=[name]), limit=1
    ).records
    materialization = found[0].asset_materialization if found else None
    asset = key.to_user_string()
    if materialization is None:
        raise StaleInput(f"no input: {asset} has not registered {name}; materialize {asset} first")
    said = {part: str(materialization.metadata[part].value) for part in ("sha256", "facts_sha256")}
    upstream = Upstream(asset, found[0].run_id, said["sha256"], said)
    upstream.expect_input(present_input(folders, name))
    return upstream


def staged_input(folders: Folders, key: dg.AssetKey, name: str, configured: str) -> Upstream:
    """The rows that ``training_rows`` staged in its latest attempt, of the present simulation.

    ``configured``: the digest of what is configured for it today, its system prompt included.
    """
    asset = key.to_user_string()
    refusal = _recorded(asset, folders.refusal("training_rows", name))
    if refusal is not None:
        raise StaleInput(
            f"refused input: the latest attempt at {asset} of {name} was refused"
            f" ({refusal.get('code')}) in run {str(refusal.get('run_id'))[:8]}"
        )
    report = _recorded(asset, folders.training_rows_report(name))
    if report is None:
        raise StaleInput(f"no input: {asset} has staged nothing for {name}; materialize it first")
    if report.get("outputs") == []:
        run = str(report.get("run_id"))[:8]
        raise StaleInput(f"no input: {asset} of {name} staged no row in run {run}")
    try:
        sha256 = report["outputs"][0]["sha256"]
        found = Upstream(asset, report["run_id"], sha256, report["input"], _told(report))
    except (KeyError, TypeError, IndexError):
        raise StaleInput(f"no input: what {asset} recorded of {name} is damaged") from None
    found.expect_input(present_input(folders, name))
    if report.get("configured_digest") != configured:
        raise StaleInput(
            f"stale input: {asset} of {name} was staged under other options or another system"
            f" prompt than export.toml names now; materialize it again"
        )
    return found


def _told(report: Mapping[str, Any]) -> dict[str, Any]:
    chosen = {name for name, by in report.get("options_from", {}).items() if by != CAREFUL}
    options = {name: v for name, v in report.get("options", {}).items() if name in chosen}
    return {"options": options, "quarantined": report.get("counts", {}).get("quarantined", 0)}


def _recorded(asset: str, path: Path) -> dict[str, Any] | None:
    """What a step left behind. A damaged record is as good as none: the step makes it again."""
    try:
        return read_record(path)
    except SourceError as error:
        raise StaleInput(f"no input: what {asset} recorded cannot be read: {error}") from None
