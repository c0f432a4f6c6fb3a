"""The third asset: what a trainer reads for supervised fine-tuning."""

from collections.abc import Iterator

import dagster as dg

from whileai_export.defs.config import SftConfig
from whileai_export.defs.dataset import Dataset
from whileai_export.defs.declared import declared
from whileai_export.defs.defaults import SFT
from whileai_export.defs.resources import Datasets
from whileai_export.defs.step import attempt
from whileai_export.defs.write import AssetEvent, exported
from whileai_export.pipeline.sft import write_sft


def sft_jsonl(dataset: Dataset) -> dg.AssetsDefinition:
    """The asset that publishes the SFT rows of a dataset."""

    @declared(dataset, "sft_jsonl", upstream="training_rows")
    def sft_jsonl(
        context: dg.AssetExecutionContext, config: SftConfig, datasets: Datasets
    ) -> Iterator[AssetEvent]:
        """Passing trajectories of one simulation as supervised fine-tuning rows."""
        with attempt(dataset, "sft_jsonl", context, datasets, SFT, config) as step:
            yield from exported(step, "sft", write_sft)

    return sft_jsonl
