"""The whole way through the pipeline without a trace: what an export would find."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from whileai_export.pipeline.job import WARNING_GATES
from whileai_export.pipeline.preference import write_pairs
from whileai_export.pipeline.sft import write_sft
from whileai_export.shared.careful import CAREFUL_PAIRS, CAREFUL_SFT
from whileai_export.shared.counted import agreeing, counted
from whileai_export.shared.errors import ExportError, GateError
from whileai_export.shared.options import SftOptions
from whileai_export.shared.schema import JsonObject
from whileai_export.shared.watching import Watcher

#: Everything is looked at, whatever share of it is unfit: those rows are set aside.
PATIENT = replace(CAREFUL_SFT.policy, max_quarantined=1.0, on_leak="quarantine")
#: The share of rows that a real export sets aside.
LIMIT = CAREFUL_SFT.policy.max_quarantined


@dataclass(frozen=True, slots=True)
class Around:
    """What a source is read with."""

    system_prompt: str | None = None
    tools: list[JsonObject] | None = None
    adapter: str | None = None

    def or_by(self, adapter: str | None) -> Around:
        """The same, with an adapter where none was given."""
        return self if self.adapter else replace(self, adapter=adapter)

    def plain(self) -> Mapping[str, Any]:
        """As keywords of the pipeline."""
        return {
            "system_prompt": self.system_prompt,
            "tools": self.tools,
            "adapter": self.adapter,
        }


def sft(
    source: str, around: Around, options: SftOptions, progress: Watcher | None = None
) -> tuple[JsonObject, ExportError | None]:
    """The report that an export would make, and the refusal that it would end in."""
    given = around.plain()
    with write_sft(
        source, {}, options=options, gates=WARNING_GATES, progress=progress, **given
    ) as outcome:
        return outcome.report, outcome.refusal


def pairs(
    source: str, around: Around, progress: Watcher | None = None
) -> tuple[JsonObject, ExportError | None]:
    """The same for preference pairs, of the rows that the gates let through."""
    options, given = replace(CAREFUL_PAIRS, policy=PATIENT), around.plain()
    with write_pairs(source, {}, options=options, progress=progress, **given) as outcome:
        return outcome.report, outcome.refusal


def leaks(rows: JsonObject) -> GateError | None:
    """The refusal of a real export, which sets no leaking row aside unless it is told to."""
    hit, read = rows["findings"]["privileged_leak"]["count"], rows["counts"]["read"]
    if not hit:
        return None
    quote = f"{hit:,} of {counted(read, 'row')} {agreeing(hit, 'quotes its', 'quote their')}"
    return GateError("privileged_leak", f"{quote} privileged block")


def too_many(rows: JsonObject) -> GateError | None:
    """The refusal of a real export, which has less patience with unfit rows."""
    counts = rows["counts"]
    if counts["quarantined"] <= LIMIT * counts["read"]:
        return None
    unfit = f"{counts['quarantined']:,} of {counted(counts['read'], 'row')}"
    problem = f"{unfit} cannot be read or written, at most {LIMIT:.0%} may be set aside"
    return GateError("quarantine_limit", problem)
