"""Published files made once more, from a simulation and the options that a manifest recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from whileai_export.io.lines import lines
from whileai_export.pipeline.exported import conversations
from whileai_export.pipeline.given import Given
from whileai_export.pipeline.outcome import Outcome
from whileai_export.pipeline.preference import write_pairs
from whileai_export.pipeline.sft import stage_training_rows, write_sft
from whileai_export.shared.errors import OptionError
from whileai_export.shared.options import OptionsT, PairOptions, SftOptions, with_values
from whileai_export.shared.schema import JsonObject, WireFormat
from whileai_export.versions.manifest import Manifest
from whileai_export.versions.parts import KINDS, File, Kind, Part, Taken
from whileai_export.versions.rows import decoded

FindSimulation: TypeAlias = Callable[[str], Path]


@dataclass(frozen=True, slots=True)
class Remake:
    """How the files of one version are made again in a private folder."""

    version: Path
    manifest: Manifest
    find: FindSimulation
    folder: Path
    workers: int

    def of(self, entry: JsonObject) -> Iterator[Taken]:
        """The files of one simulation, by the steps that the manifest says it went through."""
        simulation, steps = entry["simulation"], entry["steps"]
        rows = self.folder / f"{simulation}.jsonl"
        staging = steps["training_rows"]
        with stage_training_rows(
            self.find(simulation),
            rows,
            options=options_from(SftOptions, staging["options"]),
            quarantine=self.folder / f"{simulation}.quarantine.jsonl",
            simulation=simulation,
            system_prompt=self._prompt(simulation) if staging.get("prompt_given") else None,
            workers=self.workers,
        ) as staged:
            staged.publish()
        for kind in KINDS:
            if kind in steps:
                yield self._written(kind, simulation, rows, steps[kind]["options"])

    def _written(self, kind: Kind, simulation: str, rows: Path, recorded: JsonObject) -> Taken:
        with self._outcome(kind, simulation, rows, recorded) as outcome:
            outcome.publish()
            files = [
                File(kind, o["format"], simulation, Path(o["path"]), o["sha256"], o["rows"])
                for o in outcome.report["outputs"]
            ]
        return Taken(Part(simulation, kind, self.folder), outcome.report, {}, tuple(files))

    def _outcome(self, kind: Kind, simulation: str, rows: Path, recorded: JsonObject) -> Outcome:
        targets: dict[WireFormat, Path] = {
            file["format"]: self.folder / f"{kind}.{file['format']}.{simulation}.jsonl"
            for file in self._files(simulation)
            if file["kind"] == kind
        }
        given: Given = {"simulation": simulation, "workers": self.workers}
        if kind == "sft":
            return write_sft(rows, targets, options=options_from(SftOptions, recorded), **given)
        return write_pairs(rows, targets, options=options_from(PairOptions, recorded), **given)

    def _prompt(self, simulation: str) -> str | None:
        """The system prompt that was given for all rows: it stands in every row of the version."""
        for file in self._files(simulation):
            for _, line in lines(self.version / file["path"]):
                for messages in conversations(decoded(line)):
                    if messages and messages[0]["role"] == "system":
                        return str(messages[0]["content"])
        return None

    def _files(self, simulation: str) -> list[JsonObject]:
        return [file for file in self.manifest["files"] if file["simulation"] == simulation]


def options_from(type_: type[OptionsT], recorded: Mapping[str, Any]) -> OptionsT:
    """Options as a report recorded them, flat."""
    try:
        return with_values(type_(), recorded)
    except TypeError as error:
        raise OptionError(f"options of the manifest: {error}") from None
