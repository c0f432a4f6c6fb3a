"""A dataset as Dagster sees it: four assets over its own partitions, their checks, a job.

A sensor exports what is new, a schedule what is not current. The fifth asset is a version of all.
"""

from __future__ import annotations

import dagster as dg

from whileai_export.defs.cut_after_night import cut_after_night
from whileai_export.defs.dataset import Dataset, DatasetOptions
from whileai_export.defs.dataset_version import cut_version, dataset_version
from whileai_export.defs.graded_simulations import graded_simulations
from whileai_export.defs.intact import published_file_intact
from whileai_export.defs.nightly import nightly
from whileai_export.defs.preference_jsonl import preference_jsonl
from whileai_export.defs.resources import Datasets
from whileai_export.defs.sensor import new_simulations
from whileai_export.defs.sft_jsonl import sft_jsonl
from whileai_export.defs.training_rows import training_rows

NO_OPTIONS = DatasetOptions()
HERE = Datasets()


def pipeline(
    name: str | None = None,
    options: DatasetOptions = NO_OPTIONS,
    resource: Datasets = HERE,
    executor: dg.ExecutorDefinition = dg.in_process_executor,
) -> dg.Definitions:
    """The definitions of one dataset. Its name is the prefix and the group of its assets."""
    dataset = Dataset(name, options)
    makers = (graded_simulations, training_rows, sft_jsonl, preference_jsonl)
    assets = [make(dataset) for make in makers]
    version = dataset_version(dataset)
    return dg.Definitions(
        assets=[*assets, version],
        asset_checks=[
            published_file_intact(dataset, "sft"),
            published_file_intact(dataset, "preference"),
        ],
        jobs=[
            dg.define_asset_job(
                dataset.named("export_simulation"),
                selection=dg.AssetSelection.assets(*assets),
                description="Register one simulation, stage its rows, publish its datasets.",
            ),
            cut_version(dataset, version),
        ],
        sensors=[new_simulations(dataset), cut_after_night(dataset)],
        schedules=[nightly(dataset)],
        resources={"datasets": resource},
        executor=executor,
    )
