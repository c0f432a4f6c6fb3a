"""The first rows of a source as a trainer reads them, and why an export leaves some of them out."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from whileai_export.cli.bar import bar
from whileai_export.cli.dry import PATIENT, Around
from whileai_export.cli.refusals import none_readable, unreadable
from whileai_export.pipeline.sft import write_sft
from whileai_export.shared.careful import CAREFUL_SFT
from whileai_export.shared.counted import counted
from whileai_export.shared.errors import ExportError, GateError, SourceError
from whileai_export.shared.options import Selection, SftOptions
from whileai_export.shared.schema import CARRIED, JsonObject

_SELECTION = CAREFUL_SFT.selection
_ALL = ("row_id", "task", "schema_version", *CARRIED)

WHY = {
    "ungraded": "it has no reward; --min-reward none takes it",
    "min_reward": f"its reward is below {_SELECTION.min_reward}; a lower --min-reward takes it",
    "failed": "it failed or was cut; --no-drop-failed takes it",
    "duplicate": "an earlier row says the same; --no-dedupe takes it",
}


@dataclass(frozen=True, slots=True)
class Shown:
    """One row, under the number that findings call it by."""

    number: int
    row: JsonObject
    left_out: str = ""
    """Why an export with the careful defaults leaves it out; empty where it writes it."""


@dataclass(frozen=True, slots=True)
class First:
    """The first rows; and the first that an export writes, where it is not among them."""

    rows: list[Shown]
    written: int | None = None
    """Its number."""
    needed: int = 0
    """How many rows must be shown to see it."""


def first_rows(source: str, around: Around, count: int, quiet: bool = False) -> First:
    """The first rows that can be written. Those of a training file were selected before."""
    with tempfile.TemporaryDirectory(prefix="whileai_export.") as scratch:
        look = _Look(source, around, Path(scratch), quiet)
        report = look.written("rows", Selection(), _ALL)
        if not look.file("rows").exists():
            raise _nothing_to_show(report)
        numbered = zip(look.numbers(report["counts"]["read"]), look.rows("rows"), strict=False)
        if set(report["source"]["shapes"]) == {"training"}:
            return First([Shown(number, row) for number, row in islice(numbered, count)])
        look.written("passing", replace(_SELECTION, dedupe=False))
        look.written("kept", _SELECTION)
        passing, kept = _Those(look.rows("passing")), _Those(look.rows("kept"))
        judged = (
            Shown(number, row, _reason(row, passing.hold(row), kept.hold(row)))
            for number, row in numbered
        )
        shown = list(islice(judged, count))
        if all(row.left_out for row in shown):
            for needed, row in enumerate(judged, len(shown) + 1):
                if not row.left_out:
                    return First(shown, row.number, needed)
        return First(shown)


class _Look:
    """A source written aside, as often as is asked for."""

    def __init__(self, source: str, around: Around, place: Path, quiet: bool) -> None:
        self.source = source
        self.around = around
        self.place = place
        self.quiet = quiet

    def file(self, name: str) -> Path:
        """Where the rows of one look are."""
        return self.place / f"{name}.jsonl"

    def written(
        self, name: str, selection: Selection, columns: tuple[str, ...] = ("row_id", "reward")
    ) -> JsonObject:
        """The report of one look. A refusal leaves no file: then no row is taken."""
        options = SftOptions(columns=columns, selection=selection, policy=PATIENT)
        given, aside = self.around.plain(), self.file("aside")
        with (
            bar(f"{self.source}: {name}", self.quiet) as progress,
            write_sft(
                self.source,
                {"openai": self.file(name)},
                options=options,
                quarantine=aside,
                progress=progress,
                **given,
            ) as outcome,
        ):
            if outcome.refusal is None:
                outcome.publish()
            elif name == "rows":
                raise outcome.refusal
            return outcome.report

    def rows(self, name: str) -> Iterator[JsonObject]:
        """The rows of one look."""
        if self.file(name).exists():
            with self.file(name).open("rb") as lines:
                yield from map(json.loads, lines)

    def numbers(self, read: int) -> Iterator[int]:
        """The numbers of the rows that were not set aside."""
        aside = {entry["row"] for entry in self.rows("aside")}
        return (number for number in range(read) if number not in aside)


class _Those:
    """Some of the rows, in the order of all."""

    def __init__(self, rows: Iterator[JsonObject]) -> None:
        self.rows = rows
        self.next = _key(next(rows, None))

    def hold(self, row: JsonObject) -> bool:
        """Whether the next of all the rows is one of these."""
        if _key(row) != self.next:
            return False
        self.next = _key(next(self.rows, None))
        return True


def _key(row: JsonObject | None) -> tuple[object, object] | None:
    return None if row is None else (row.get("row_id"), row.get("reward"))


def _reason(row: JsonObject, passes: bool, kept: bool) -> str:
    if kept:
        return ""
    if passes:
        return "duplicate"
    if row.get("reward") is None:
        return "ungraded"
    return "min_reward" if row["reward"] < (_SELECTION.min_reward or 0) else "failed"


def _nothing_to_show(report: JsonObject) -> ExportError:
    if none_readable(report):
        return SourceError(unreadable(report))
    read = report["counts"]["read"]
    kept_out = "the only row is" if read == 1 else f"all of {counted(read, 'row')} are"
    return GateError("privileged_leak", f"{kept_out} kept out", report)
