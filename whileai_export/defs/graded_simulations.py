"""The first asset: which bytes a simulation is, and what is in them."""

from collections.abc import Iterator

import dagster as dg

from whileai_export.defs.config import InputConfig
from whileai_export.defs.dataset import Dataset
from whileai_export.defs.declared import declared
from whileai_export.defs.defaults import CENSUS
from whileai_export.defs.fetched import fetch
from whileai_export.defs.inputs import present_input
from whileai_export.defs.register import registered
from whileai_export.defs.resources import Datasets
from whileai_export.defs.step import attempt
from whileai_export.defs.write import AssetEvent
from whileai_export.pipeline.sft import write_sft
from whileai_export.shared.watching import watcher_of


def graded_simulations(dataset: Dataset) -> dg.AssetsDefinition:
    """The asset that registers simulations for a dataset."""

    @declared(dataset, "graded_simulations")
    def graded_simulations(
        context: dg.AssetExecutionContext, config: InputConfig, datasets: Datasets
    ) -> Iterator[AssetEvent]:
        """Graded agent trajectories of one simulation: the input, registered by its sha256.

        Nothing is copied or changed; what lies at a URL is fetched first. The checks say whether
        every line is a row, and whether the rows carry what the leak gate compares with.
        """
        with attempt(dataset, "graded_simulations", context, datasets, CENSUS, config) as step:
            fetch(dataset, step.folders, step.name)
            now = present_input(step.folders, step.name)
            source = step.folders.simulation(step.name)
            with write_sft(
                source,
                {},
                options=step.options,
                simulation=step.name,
                progress=watcher_of(step.asset),
                workers=step.workers,
            ) as outcome:
                yield from registered(step, outcome, now)

    return graded_simulations
