"""One asset at work on one simulation: its options, its refusals, what its report says."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeAlias

import dagster as dg

from whileai_export.defs.choices import Choice, choose
from whileai_export.defs.config import RunConfig
from whileai_export.defs.dataset import Dataset, code_version
from whileai_export.defs.defaults import CONFIGS, DEFAULTS
from whileai_export.defs.held_out import PUBLISHED, evaluation_files
from whileai_export.defs.inputs import StaleInput, Upstream, identity, replaceable, staged_input
from whileai_export.defs.metadata import report_metadata
from whileai_export.defs.own_modules import file_digest, importable
from whileai_export.defs.own_options import otherwise
from whileai_export.defs.resources import Datasets, Folders
from whileai_export.defs.way_on import WayOn, way_on
from whileai_export.pipeline.records import write_private
from whileai_export.shared.errors import ExportError, GateError, SourceError, Ungraded
from whileai_export.shared.options import OptionsT
from whileai_export.shared.plain_name import plain_name
from whileai_export.shared.schema import WireFormat

Report: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Step(Generic[OptionsT]):
    """An asset of a dataset, the simulation it works on, and the options that hold for it."""

    dataset: Dataset
    asset: str
    context: dg.AssetExecutionContext
    folders: Folders
    choice: Choice[OptionsT]
    workers: int = 1

    @property
    def name(self) -> str:
        """The simulation."""
        return str(self.context.partition_key)

    @property
    def options(self) -> OptionsT:
        """The options that hold."""
        return self.choice.options

    def targets(self, kind: str) -> dict[WireFormat, Path]:
        """The file of every format that the options name."""
        files = self.folders.published_files(kind, self.name)
        return {format: files[format] for format in self.options.formats}

    def report(self, found: Mapping[str, Any], upstream: Upstream) -> Report:
        """What the pipeline found, with where it came from and under which options."""
        return {
            **found,
            **self.choice.plain(),
            **self._evaluation(),
            **self._place(),
            "input": dict(upstream.input),
            "upstream": upstream.plain(),
        }

    def staged(self) -> Upstream:
        """The staged rows this step reads: of the present input, under the present options."""
        rows = chosen(self.dataset, "training_rows", DEFAULTS["training_rows"], self.folders, {})
        key = self.dataset.key("training_rows")
        return staged_input(self.folders, key, self.name, rows.configured_digest)

    def remember(self, refusal: ExportError, report: Mapping[str, Any]) -> None:
        """Leave a trace of a refusal, so that no older file passes for this attempt's."""
        said = {
            **report,
            **self.choice.plain(),
            **self._place(),
            "input": report.get("input") or identity(self.folders, self.name),
            "code": refusal.code if isinstance(refusal, GateError | Ungraded) else "source",
            "problem": str(refusal),
        }
        write_private(self.folders.refusal(self.asset, self.name), said)

    def way_on(self, refusal: ExportError, report: Mapping[str, Any]) -> WayOn | None:
        """How somebody goes on from a refusal; None where its own words say everything."""
        unread = isinstance(refusal, SourceError) and not isinstance(refusal, StaleInput)
        if unread and not replaceable(self.folders, self.name):
            return None
        return way_on(refusal, report, self.folders.home, self.name, self.dataset)

    def refused(self, refusal: ExportError, report: Report | None = None) -> dg.Failure:
        """The failure that a refusal is, with a trace of it; where none can be left, it says so."""
        try:
            self.remember(refusal, report or {})
        except (ExportError, OSError) as error:
            return self.failure(refusal, report, f"; no trace of this is kept: {error}")
        return self.failure(refusal, report)

    def failure(
        self, refusal: ExportError, report: Report | None = None, untraced: str = ""
    ) -> dg.Failure:
        """The failure that a refusal is, with how to go on.

        An observation says the same: a partition's own page shows those, and no failures.
        """
        way = self.way_on(refusal, report or {})
        told = way.metadata() if way else {}
        self.context.log_event(
            dg.AssetObservation(
                self.dataset.key(self.asset),
                partition=self.name,
                description=f"refused: {refusal}",
                metadata={"refused": str(refusal), **told},
            )
        )
        shown = report_metadata(report) if report else {}
        problem = f"{refusal}{self._otherwise(refusal)}{untraced}"
        said = way.after(problem) if way else problem
        return dg.Failure(said, metadata={**told, **shown}, allow_retries=False)

    def forget_refusal(self) -> None:
        """The latest attempt has passed."""
        self.folders.refusal(self.asset, self.name).unlink(missing_ok=True)

    def _otherwise(self, refusal: ExportError) -> str:
        """Where a gate refuses what it let pass under the options of the run before."""
        if not isinstance(refusal, GateError):
            return ""
        return otherwise(self.choice.plain(), self.folders, self.asset, self.name)

    def _evaluation(self) -> Report:
        files = evaluation_files(self.dataset, self.folders) if self.asset in PUBLISHED else {}
        return {"holdout": files} if files else {}

    def _place(self) -> Report:
        return {
            "asset": self.dataset.key(self.asset).to_user_string(),
            "simulation": self.name,
            "run_id": self.context.run.run_id,
            "code_version": code_version(),
        }


def chosen(
    dataset: Dataset, asset: str, careful: OptionsT, folders: Folders, run: Mapping[str, Any]
) -> Choice[OptionsT]:
    """The options of one asset of a dataset, under what a run says."""
    config = CONFIGS.get(asset)
    names = config.model_fields if config else ()
    layers = dataset.options.for_kind(asset.removesuffix("_jsonl"))
    return choose(careful, names, layers, run, _facts(dataset, asset, folders))


def _facts(dataset: Dataset, asset: str, folders: Folders) -> str:
    """What options name and do not hold: system prompt, adapter, evaluation files."""
    if asset == "training_rows":
        prompt, adapter = dataset.system_prompt(folders), dataset.options.adapter
        told = [hashlib.sha256(prompt.encode()).hexdigest()] if prompt is not None else []
        return " ".join(told + ([file_digest(adapter, folders.home)] if adapter else []))
    if asset in PUBLISHED:
        return " ".join(sorted(evaluation_files(dataset, folders).values()))
    return ""


@contextmanager
def attempt(
    dataset: Dataset,
    asset: str,
    context: dg.AssetExecutionContext,
    datasets: Datasets,
    careful: OptionsT,
    config: RunConfig | None = None,
) -> Iterator[Step[OptionsT]]:
    """A step, of which a refusal becomes one Failure: nothing materialized, nothing retried."""
    folders = datasets.of(dataset.name)
    importable(folders.home)
    try:
        plain_name(context.partition_key)
        choice = chosen(dataset, asset, careful, folders, config.chosen() if config else {})
    except ExportError as error:
        raise failure(error) from None
    step = Step(dataset, asset, context, folders, choice, datasets.workers)
    try:
        yield step
    except StaleInput as error:
        raise step.failure(error) from None
    except ExportError as error:
        raise step.refused(error) from None


def failure(error: ExportError) -> dg.Failure:
    """The failure of a step that has not begun, in the words of the refusal."""
    return dg.Failure(str(error), allow_retries=False)
