"""The fourth asset: what a trainer reads for preference optimisation."""

from collections.abc import Iterator

import dagster as dg

from whileai_export.defs.config import PreferenceConfig
from whileai_export.defs.dataset import Dataset
from whileai_export.defs.declared import declared
from whileai_export.defs.defaults import PAIRS
from whileai_export.defs.held_out import held_out
from whileai_export.defs.resources import Datasets
from whileai_export.defs.step import attempt
from whileai_export.defs.write import AssetEvent, published
from whileai_export.pipeline.preference import write_pairs
from whileai_export.shared.watching import watcher_of


def preference_jsonl(dataset: Dataset) -> dg.AssetsDefinition:
    """The asset that publishes the preference pairs of a dataset."""

    @declared(dataset, "preference_jsonl", upstream="training_rows")
    def preference_jsonl(
        context: dg.AssetExecutionContext, config: PreferenceConfig, datasets: Datasets
    ) -> Iterator[AssetEvent]:
        """Better and worse rollouts of the same task, as preference pairs."""
        with attempt(dataset, "preference_jsonl", context, datasets, PAIRS, config) as step:
            upstream = step.staged()
            with write_pairs(
                step.folders.training_rows(step.name),
                step.targets("preference"),
                options=step.options,
                simulation=step.name,
                holdout=held_out(dataset, step.folders),
                progress=watcher_of(step.asset),
            ) as outcome:
                yield from published(step, "preference", outcome, upstream)

    return preference_jsonl
