"""The fourth asset: what a trainer reads for preference optimisation."""

from collections.abc import Iterator

import dagster as dg

from whileai_export.defs.config import PreferenceConfig
from whileai_export.defs.dataset import Dataset
from whileai_export.defs.declared import declared
from whileai_export.defs.defaults import PAIRS
from whileai_export.defs.resources import Datasets
from whileai_export.defs.step import attempt
from whileai_export.defs.write import AssetEvent, exported
from whileai_export.pipeline.preference import write_pairs


def preference_jsonl(dataset: Dataset) -> dg.AssetsDefinition:
    """The asset that publishes the preference pairs of a dataset."""

    @declared(dataset, "preference_jsonl", upstream="training_rows")
    def preference_jsonl(
        context: dg.AssetExecutionContext, config: PreferenceConfig, datasets: Datasets
    ) -> Iterator[AssetEvent]:
        """Better and worse rollouts of the same task, as preference pairs."""
        with attempt(dataset, "preference_jsonl", context, datasets, PAIRS, config) as step:
            yield from exported(step, "preference", write_pairs)

    return preference_jsonl
