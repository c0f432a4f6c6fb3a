"""The second asset: canonical rows, private, that everything published is made of."""

from collections.abc import Iterator

import dagster as dg

from whileai_export.defs.config import RowsConfig
from whileai_export.defs.dataset import Dataset
from whileai_export.defs.declared import declared
from whileai_export.defs.defaults import ROWS
from whileai_export.defs.inputs import registered_input
from whileai_export.defs.resources import Datasets
from whileai_export.defs.step import attempt
from whileai_export.defs.write import AssetEvent, written_rows
from whileai_export.pipeline.job import WARNING_GATES
from whileai_export.pipeline.sft import stage_training_rows
from whileai_export.shared.watching import watcher_of


def training_rows(dataset: Dataset) -> dg.AssetsDefinition:
    """The asset that stages the rows of a dataset."""

    @declared(dataset, "training_rows", upstream="graded_simulations")
    def training_rows(
        context: dg.AssetExecutionContext, config: RowsConfig, datasets: Datasets
    ) -> Iterator[AssetEvent]:
        """Trajectories of one simulation in one canonical form, past the gates.

        Nothing is stripped, masked, cut or selected. Each row keeps its privileged block and its
        source line, so the file is private: only its owner may read it.
        """
        with attempt(dataset, "training_rows", context, datasets, ROWS, config) as step:
            graded = dataset.key("graded_simulations")
            upstream = registered_input(context, step.folders, graded, step.name)
            with stage_training_rows(
                step.folders.simulation(step.name),
                step.folders.training_rows(step.name),
                options=step.options,
                quarantine=step.folders.quarantine(step.name),
                simulation=step.name,
                system_prompt=dataset.system_prompt(step.folders),
                gates=WARNING_GATES,
                progress=watcher_of(step.asset),
                workers=step.workers,
            ) as outcome:
                yield from written_rows(step, outcome, upstream)

    return training_rows
