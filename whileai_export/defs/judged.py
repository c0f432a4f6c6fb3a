"""Where each simulation of a dataset stands now, and whether a night would export it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

import dagster as dg

from whileai_export.defs.current import changed, digests, standing
from whileai_export.defs.dataset import Dataset
from whileai_export.defs.defaults import ASSETS
from whileai_export.defs.inputs import NoInput, SimulationInput, present_input
from whileai_export.defs.resources import Folders
from whileai_export.defs.under_way import meant_of, under_way
from whileai_export.pipeline.records import read_record
from whileai_export.shared.errors import ExportError, SourceError
from whileai_export.shared.project import State

#: What a night exports.
DUE: frozenset[State] = frozenset({"never run", "stale", "crashed"})
_ENDS = {dg.DagsterRunStatus.FAILURE: "failed", dg.DagsterRunStatus.CANCELED: "was cancelled"}
Judged: TypeAlias = tuple[State, str]


@dataclass(frozen=True, slots=True)
class Judge:
    """What is asked of one dataset, one simulation after the other: each as it is then."""

    instance: dg.DagsterInstance
    dataset: Dataset
    folders: Folders
    configured: Mapping[str, str]

    @classmethod
    def of(cls, instance: dg.DagsterInstance, dataset: Dataset, folders: Folders) -> Judge:
        """The judge under the options that are configured now."""
        return cls(instance, dataset, folders, digests(dataset, folders))

    def __call__(self, name: str) -> Judged:
        """Its state, and why it is in that."""
        busy = under_way(self.instance, self.dataset, name)
        if busy:
            return "running", f"run {busy[name][:8]} has not ended"
        try:
            now = present_input(self.folders, name)
        except NoInput:
            return ("never run", "not fetched yet") if self.dataset.options.store else ("gone", "")
        except (ExportError, OSError) as error:
            return "unreadable", str(error)
        return self._there(name, now)

    def _there(self, name: str, now: SimulationInput) -> Judged:
        stands = standing(self.folders, name, now, self.configured)
        refusals = list(self._refusals(name))
        if stands == "refused":
            return "refused", ", ".join(dict.fromkeys(map(_reason, refusals)))
        crash = self._crash(name, {refusal.get("run_id") for refusal in refusals})
        if crash:
            return "crashed", crash
        if stands == "current":
            return "current", ""
        changes = changed(self.folders, name, now, self.configured)
        return ("stale", _said(changes)) if changes else ("never run", "")

    def _refusals(self, name: str) -> Iterator[Mapping[str, Any]]:
        for asset in ASSETS:
            with suppress(SourceError):  # a damaged one is as good as none
                refusal = read_record(self.folders.refusal(asset, name))
                if refusal is not None:
                    yield refusal

    def _crash(self, name: str, refused: Collection[object]) -> str:
        """The latest run, where it came to no end of its own and no gate refused."""
        asked = dg.RunsFilter(tags={"dagster/partition": name})
        run = next(iter(self.instance.get_runs(asked, limit=1)), None)
        if run is None or run.status == dg.DagsterRunStatus.SUCCESS or run.run_id in refused:
            return ""
        if not meant_of(self.instance, self.dataset, run):
            return ""
        return f"run {run.run_id[:8]} {_ENDS.get(run.status, 'was killed, or hangs')}"


def _reason(refusal: Mapping[str, Any]) -> str:
    """The code of the gate; of a source that cannot be read, its words."""
    code = str(refusal.get("code"))
    return str(refusal.get("problem")) if code == "source" else code


def _said(changes: list[str]) -> str:
    if not {"input", "options", "code"} & set(changes):
        return ", ".join(changes)
    return f"{' and '.join(changes)} changed"
