"""The third asset: what a trainer reads for supervised fine-tuning."""

from collections.abc import Iterator

import dagster as dg

from whileai_export.defs.config import SftConfig
from whileai_export.defs.dataset import Dataset
from whileai_export.defs.declared import declared
from whileai_export.defs.defaults import SFT
from whileai_export.defs.held_out import held_out
from whileai_export.defs.resources import Datasets
from whileai_export.defs.step import attempt
from whileai_export.defs.write import AssetEvent, published
from whileai_export.pipeline.sft import write_sft
from whileai_export.shared.watching import watcher_of


def sft_jsonl(dataset: Dataset) -> dg.AssetsDefinition:
    """The asset that publishes the SFT rows of a dataset."""

    @declared(dataset, "sft_jsonl", upstream="training_rows")
    def sft_jsonl(
        context: dg.AssetExecutionContext, config: SftConfig, datasets: Datasets
    ) -> Iterator[AssetEvent]:
        """Passing trajectories of one simulation as supervised fine-tuning rows."""
        with attempt(dataset, "sft_jsonl", context, datasets, SFT, config) as step:
            upstream = step.staged()
            with write_sft(
                step.folders.training_rows(step.name),
                step.targets("sft"),
                options=step.options,
                simulation=step.name,
                holdout=held_out(dataset, step.folders),
                progress=watcher_of(step.asset),
            ) as outcome:
                yield from published(step, "sft", outcome, upstream)

    return sft_jsonl
