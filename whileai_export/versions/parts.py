"""What a version is made of: published files whose digest is the one that their report names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from whileai_export.io.hashing import file_sha256
from whileai_export.io.part import one_at_a_time
from whileai_export.pipeline.records import read_record
from whileai_export.shared.errors import SourceError
from whileai_export.shared.schema import JsonObject
from whileai_export.versions.placing import link

Kind: TypeAlias = Literal["sft", "preference"]
KINDS: tuple[Kind, ...] = ("sft", "preference")

#: Why a simulation is left out that was never exported.
NOTHING = "nothing is published"


@dataclass(frozen=True, slots=True)
class Part:
    """One simulation as it stands published: a folder with files and their ``report.json``."""

    simulation: str
    kind: Kind
    folder: Path
    staged: Path | None = None
    """The report of the private rows that the files were made of."""
    problem: str = ""
    """Why it may not be taken; empty where its latest attempt passed."""
    present: Mapping[str, str] | None = None
    """What tells the bytes of the simulation as it lies there now; None where nobody knows."""
    waits: bool = False
    """A run is at work on it: it may go in when that has ended."""


class File(NamedTuple):
    """One published file, held by a name of our own: a later export cannot change it."""

    kind: Kind
    format: str
    simulation: str
    path: Path
    sha256: str
    rows: int


@dataclass(frozen=True, slots=True)
class Taken:
    """A part whose files are the recorded ones."""

    part: Part
    report: JsonObject
    staged: JsonObject
    files: tuple[File, ...]

    @property
    def outdated(self) -> bool:
        """The simulation has other bytes by now than those that the files were made of."""
        return self.part.present is not None and self.part.present != self.report.get("input")


def outdated(taken: Iterable[Taken]) -> list[str]:
    """The simulations that go in as they were published, though they have newer input."""
    return sorted({part.part.simulation for part in taken if part.outdated})


class _Unfit(Exception):
    """The part is left out; the text says why."""


def take(parts: Iterable[Part], folder: Path) -> tuple[list[Taken], list[JsonObject]]:
    """The parts that can be taken, held in a folder; the others, each with the reason."""
    taken: list[Taken] = []
    left_out: list[JsonObject] = []
    for part in sorted(parts, key=lambda part: (KINDS.index(part.kind), part.simulation)):
        try:
            taken.append(_taken(part, folder))
        except _Unfit as unfit:
            named: JsonObject = {"simulation": part.simulation, "kind": part.kind}
            waits = {"waits": True} if part.waits else {}
            left_out.append({**named, "reason": str(unfit), **waits})
    return taken, left_out


def _taken(part: Part, folder: Path) -> Taken:
    if part.problem:
        raise _Unfit(part.problem)
    with one_at_a_time([part.folder]):
        return _held(part, folder)


def _held(part: Part, folder: Path) -> Taken:
    report = _record(part.folder / "report.json")
    if report is None:
        raise _Unfit(NOTHING)
    if report.get("simulation", part.simulation) != part.simulation:
        raise _Unfit(f"report.json is of the simulation {report['simulation']}")
    if not report.get("outputs"):
        raise _Unfit("nothing qualified: 0 rows")
    staged = _staged(part, report)
    files = [_file(part, output, folder) for output in report["outputs"]]
    return Taken(part, report, staged, tuple(files))


def _file(part: Part, output: JsonObject, folder: Path) -> File:
    published = part.folder / Path(output["path"]).name
    held = folder / f"{part.kind}.{output['format']}.{part.simulation}"
    held.unlink(missing_ok=True)
    try:
        link(published, held)
    except FileNotFoundError:
        raise _Unfit(f"{published.name} is gone") from None
    came = file_sha256(held)
    if came != output["sha256"]:
        held.unlink()
        raise _Unfit(
            f"{published.name}: its sha256 is {came[:12]}, report.json says {output['sha256'][:12]}"
        )
    return File(part.kind, output["format"], part.simulation, held, came, output["rows"])


def _staged(part: Part, report: JsonObject) -> JsonObject:
    """The report of the rows that the part was made of, if it is still about those."""
    if part.staged is None:
        return {}
    staged = _record(part.staged)
    made_of = report.get("upstream", {}).get("sha256")
    if staged is None or made_of not in {o.get("sha256") for o in staged.get("outputs", ())}:
        raise _Unfit("its training_rows were staged again since; materialize it again")
    return staged


def _record(path: Path) -> JsonObject | None:
    try:
        return read_record(path)
    except SourceError:
        raise _Unfit(f"{path.name} is damaged") from None
