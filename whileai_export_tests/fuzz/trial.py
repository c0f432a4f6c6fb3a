"""One mutant through every door, and what must hold whatever it is."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import whileai_export
from whileai_export import ExportError
from whileai_export_tests import strict
from whileai_export_tests.fuzz import doors
from whileai_export_tests.fuzz.mutant import Mutant, in_memory, packed

FORMER = b'{"former": "file"}\n'


@dataclass(slots=True)
class Trial:
    """What became of some mutants: counts, and what must not happen."""

    counts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def __add__(self, other: Trial) -> Trial:
        return Trial(self.counts + other.counts, self.failures + other.failures)


class Attempt:
    """One mutant in a folder of its own."""

    def __init__(self, made: Mutant, folder: Path, random: Random) -> None:
        self.made = made
        self.folder = folder
        self.random = random
        self.trial = Trial()
        self.source = folder / f"night.jsonl{made.suffix}"
        self.output = folder / "out.jsonl"
        self.again = folder / "again.jsonl"
        self.kept = folder / "out.jsonl.quarantine.jsonl"
        self.source.write_bytes(packed(made))

    def run(self) -> Trial:
        """Through every door."""
        for format in doors.SFT_FORMATS:
            self._door(f"export_dataset {format}", lambda f=format: self._dataset(f))
        for format in doors.PAIR_FORMATS:
            self._door(f"write_pairs {format}", lambda f=format: self._paired(f))
        self._door("build_preference_pairs", self._pairs)
        self._door("training_rows", self._rows)
        self._door("training_rows in memory", self._memory)
        self._door("leak_report", lambda: whileai_export.leak_report(self.source))
        return self.trial

    def _door(self, name: str, work: Callable[[], Any]) -> None:
        self.trial.counts["exports"] += 1
        self.output.write_bytes(FORMER)
        for path in (self.again, self.kept, self.folder / "kept.jsonl"):
            path.unlink(missing_ok=True)
        before = sorted(self.folder.iterdir())
        try:
            report = work()
            self.trial.counts["passed"] += 1
            if isinstance(report, dict):
                self._keeps_secrets(json.dumps(report))
        except ExportError as refusal:
            self.trial.counts["refused"] += 1
            self._refused(name, refusal, before)
        except strict.Invalid as found:
            self._failed(name, "invalid", str(found))
        except Exception as foreign:
            self._failed(name, "foreign", f"{type(foreign).__name__}: {foreign}"[:300])

    def _refused(self, name: str, refusal: ExportError, before: list[Path]) -> None:
        try:
            strict.need(self.output.read_bytes() == FORMER, "a refusal that touched the old file")
            strict.need(sorted(self.folder.iterdir()) == before, "a refusal that left files behind")
            self._keeps_secrets(str(refusal) + json.dumps(getattr(refusal, "report", {})))
        except strict.Invalid as found:
            self._failed(name, "invalid", str(found))

    def _keeps_secrets(self, told: str) -> None:
        if self.made.secretive:
            strict.need("kestrel" not in told, "private words in a message or report")

    def _failed(self, name: str, kind: str, problem: str) -> None:
        self.trial.counts[kind] += 1
        self.trial.failures.append(f"mutant {self.made.number}, {name}: {kind}: {problem}")

    def _dataset(self, format: str) -> dict[str, Any]:
        options = doors.sft_options(self.random, format)
        report = whileai_export.export_dataset(self.source, self.output, format=format, **options)
        strict.check_counts(report)
        rows = strict.check_file(self.output, format, judged=options["validate"])
        strict.need(len(rows) == report["n_written"], "another number of rows than reported")
        self._check_quarantine(report["counts"]["quarantined"])
        if format in ("openai", "trl") and not report["columns_left_out"]:
            self._same_again(format, options)
        return report

    def _check_quarantine(self, count: int) -> None:
        kept = strict.quarantined(self.kept) if self.kept.exists() else []
        strict.need(len(kept) == count, "another number of rows in quarantine than reported")
        lines = self.made.data.split(b"\n")
        for row in kept:
            strict.need(lines[row["line"] - 1].strip(), "a line number of a blank line")

    def _same_again(self, format: str, options: dict[str, Any]) -> None:
        """A written file that kept what options act on, exported with them again, is itself."""
        if "usage" in (options["columns"] or ()) or (options["unroll"] and options["drop_failed"]):
            return
        try:
            whileai_export.export_dataset(self.output, self.again, format=format, **options)
        except ExportError as refusal:
            raise strict.Invalid(f"refused, exported again: {refusal}") from refusal
        strict.need(
            self.again.read_bytes() == self.output.read_bytes(), "another file, exported again"
        )

    def _paired(self, format: str) -> dict[str, Any]:
        report = doors.paired(self.source, self.output, format, self.random)
        strict.check_counts(report)
        if report["pairs"]:
            strict.check_file(self.output, format)
        return report

    def _pairs(self) -> dict[str, Any]:
        pairs, told = whileai_export.build_preference_pairs(self.source, min_margin=0.1)
        strict.need(told["pairs"] == len(pairs), "another number of pairs than reported")
        options = doors.pair_options(self.random)
        format = self.random.choice(doors.PAIR_FORMATS)
        report = whileai_export.export_preference(pairs, self.output, format=format, **options)
        strict.check_counts(report)
        if report["pairs"]:
            strict.check_file(self.output, format, judged=options["validate"])
        return {**report, **told}

    def _rows(self) -> None:
        unroll = self.random.random() < 0.3
        rows = whileai_export.training_rows(self.source, unroll=unroll)
        for row in rows:
            strict.check_mask(row["loss_mask"], row["messages"])
        again = whileai_export.training_rows(rows, unroll=unroll)
        strict.need(again == rows, "other rows, read again")
        whileai_export.tool_call_roundtrip(rows)
        whileai_export.to_trl(rows)

    def _memory(self) -> None:
        given = in_memory(self.made, self.random)
        rows = whileai_export.training_rows(given)
        json.dumps(rows, allow_nan=False)
