"""The rows of a source as a trainer reads them, and why an export leaves some of them out."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from whileai_export.cli import dry
from whileai_export.cli.bar import bar
from whileai_export.pipeline.numbering import lines_of_rows
from whileai_export.pipeline.sft import write_sft
from whileai_export.shared.careful import CAREFUL_SFT
from whileai_export.shared.errors import GateError, OptionError, SourceError
from whileai_export.shared.options import Selection, SftOptions
from whileai_export.shared.remedies import none_readable, unreadable
from whileai_export.shared.schema import JsonObject

_SELECTION = CAREFUL_SFT.selection
#: What is not published and still tells rows of one task apart.
_ROLLOUT = "rollout_index"

WHY = {
    "ungraded": "it has no reward from 0 to 1; --min-reward none takes it",
    "min_reward": f"its reward is below {_SELECTION.min_reward}; a lower --min-reward takes it",
    "failed": "it failed or was cut; --no-drop-failed takes it",
    "nothing_trained": "no turn of it would be trained: the assistant says nothing",
    "duplicate": "an earlier row says the same; --no-dedupe takes it",
}


@dataclass(frozen=True, slots=True)
class Shown:
    """One row, under the number and the line that findings call it by."""

    number: int
    line: int | None
    row: JsonObject = field(default_factory=dict)
    """As an export writes it; empty where a gate keeps it out."""
    rollout: object = None
    left_out: str = ""
    """Why an export with the careful defaults leaves it out; empty where it writes it."""
    kept_out: JsonObject = field(default_factory=dict)
    """Of a row that no export writes: the gate, the place, the problem. Never its text."""

    def plain(self) -> JsonObject:
        """JSON-safe: the row's own columns, and what is known about it."""
        told = {"left_out": self.left_out, "kept_out": self.kept_out}
        known = {"row": self.number, "line": self.line}
        return known | self.row | known | {name: said for name, said in told.items() if said}


@dataclass(frozen=True, slots=True)
class First:
    """Some rows, what an export would end in, and the first row that it writes."""

    rows: list[Shown]
    written: int | None = None
    """The number of that row, where it is not among these."""
    refusal: GateError | None = None
    """Why an export of the source writes none."""
    report: JsonObject = field(default_factory=dict)


def first_rows(source: str, around: dry.Around, wanted: range, quiet: bool = False) -> First:
    """The rows of these numbers. Those of a training file were selected before."""
    with tempfile.TemporaryDirectory(prefix="whileai_export.") as scratch:
        look = _Look(source, around, Path(scratch), quiet)
        report = look.written("rows", Selection(trim_tail=_SELECTION.trim_tail), (_ROLLOUT,))
        read = report["counts"]["read"]
        if none_readable(report):
            raise SourceError(unreadable(report))
        if wanted.start >= read:
            raise OptionError(f"--row: expected a number from 0 to {read - 1}, got {wanted.start}")
        rows = look.judged(selected=set(report["source"]["shapes"]) == {"training"})
        shown = list(islice(rows, wanted.start, wanted.stop))
        refusal = dry.leaks(report) or dry.too_many(report)
        if refusal or any(row.row and not row.left_out for row in shown):
            return First(shown, refusal=refusal, report=report)
        written = (row.number for row in rows if row.row and not row.left_out)
        return First(shown, next(written, None), report=report)


class _Look:
    """A source written aside, as often as is asked for."""

    def __init__(self, source: str, around: dry.Around, place: Path, quiet: bool) -> None:
        self.source = source
        self.around = around
        self.place = place
        self.quiet = quiet

    def file(self, name: str) -> Path:
        """Where the rows of one look are."""
        return self.place / f"{name}.jsonl"

    def written(self, name: str, selection: Selection, columns: tuple[str, ...] = ()) -> JsonObject:
        """The report of one look. A refusal leaves no file: then no row is taken."""
        published = (*(CAREFUL_SFT.columns or ()), *columns)
        options = SftOptions(columns=published, selection=selection, policy=dry.PATIENT)
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

    def judged(self, selected: bool) -> Iterator[Shown]:
        """Every row of the source, in its order. ``selected``: they were judged before."""
        kept_out = {entry["row"]: _kept_out(entry) for entry in self.rows("aside")}
        if not selected:
            self.written("passing", replace(_SELECTION, dedupe=False))
            self.written("kept", _SELECTION)
        all_rows = self.rows("rows")
        passing, kept = _Those(self.rows("passing")), _Those(self.rows("kept"))
        for number, line in enumerate(lines_of_rows(self.source)):
            if number in kept_out:
                yield Shown(number, line, kept_out=kept_out[number])
                continue
            row = next(all_rows, None)
            if row is None:
                return
            why = "" if selected else _reason(row, passing.hold(row), kept.hold(row))
            yield Shown(number, line, row, row.pop(_ROLLOUT, None), why)

    def rows(self, name: str) -> Iterator[JsonObject]:
        """The rows of one look."""
        if self.file(name).exists():
            with self.file(name).open("rb") as lines:
                yield from map(json.loads, lines)


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
    reward = row.get("reward")
    if reward is None or not 0 <= reward <= 1:
        return "ungraded"
    if reward < (_SELECTION.min_reward or 0):
        return "min_reward"
    return "failed" if any(row["loss_mask"]) else "nothing_trained"


def _kept_out(entry: JsonObject) -> JsonObject:
    return {name: entry[name] for name in ("gate", "at", "problem")}
