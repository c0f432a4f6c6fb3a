"""The whole way through the pipeline without a trace: what an export would find, and its rows."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from whileai_export.cli.bar import Watcher
from whileai_export.cli.refusals import none_readable, unreadable
from whileai_export.cli.terminal import counted
from whileai_export.pipeline.job import WARNING_GATES
from whileai_export.pipeline.preference import write_pairs
from whileai_export.pipeline.sft import write_sft
from whileai_export.shared.careful import CAREFUL_PAIRS, CAREFUL_SFT
from whileai_export.shared.errors import ExportError, GateError, SourceError
from whileai_export.shared.options import SftOptions
from whileai_export.shared.schema import JsonObject, WireFormat

#: Everything is looked at, whatever share of it is unfit: those rows are set aside.
PATIENT = replace(CAREFUL_SFT.policy, max_quarantined=1.0, on_leak="quarantine")


@dataclass(frozen=True, slots=True)
class Around:
    """What a source is read with."""

    system_prompt: str | None = None
    tools: list[JsonObject] | None = None

    def plain(self) -> Mapping[str, Any]:
        """As keywords of the pipeline."""
        return {"system_prompt": self.system_prompt, "tools": self.tools}


def sft(
    source: str, around: Around, options: SftOptions, progress: Watcher | None = None
) -> tuple[JsonObject, ExportError | None]:
    """The report that an export would make, and the refusal that it would end in."""
    given = around.plain()
    with write_sft(
        source, {}, options=options, gates=WARNING_GATES, progress=progress, **given
    ) as outcome:
        return outcome.report, outcome.refusal


def pairs(source: str, around: Around) -> tuple[JsonObject, ExportError | None]:
    """The same for preference pairs, of the rows that the gates let through."""
    options = replace(CAREFUL_PAIRS, policy=PATIENT)
    with write_pairs(source, {}, options=options, **around.plain()) as outcome:
        return outcome.report, outcome.refusal


def _nothing_to_show(report: JsonObject) -> ExportError:
    if none_readable(report):
        return SourceError(unreadable(report))
    read = report["counts"]["read"]
    return GateError("privileged_leak", f"all of {counted(read, 'row')} are kept out", report)


def rows(source: str, around: Around, format: WireFormat, first: int) -> list[JsonObject]:
    """The first rows of a training file made of all that can be read, nothing selected."""
    options = SftOptions(formats=(format,), policy=PATIENT)
    with tempfile.TemporaryDirectory(prefix="whileai_export.") as scratch:
        target = Path(scratch) / "rows.jsonl"
        with write_sft(source, {format: target}, options=options, **around.plain()) as outcome:
            outcome.publish()
        if not target.exists():
            raise _nothing_to_show(outcome.report)
        with target.open("rb") as lines:
            return [json.loads(line) for line in islice(lines, first)]
