"""The fifth asset: an immutable version of everything that is published."""

from collections.abc import Iterator
from typing import Any

import dagster as dg
from pydantic import Field

from whileai_export.defs.dataset import Dataset, code_version
from whileai_export.defs.publishable import parts
from whileai_export.defs.resources import Datasets
from whileai_export.defs.step import failure
from whileai_export.defs.version_metadata import check_results, losses, metadata
from whileai_export.shared.errors import ExportError
from whileai_export.versions import Shelf, Split, cut, verify

CHECKS = {
    "counts_add_up": "Every digest and every count of the version is what its manifest says.",
    "no_task_in_two_splits": "No task has rows for training and rows for testing.",
}


class VersionConfig(dg.Config):
    """How a version is divided."""

    test_share: float | None = Field(
        None, description="share of tasks held back for testing; the dataset's, which is none"
    )


def dataset_version(dataset: Dataset) -> dg.AssetsDefinition:
    """The asset that cuts versions of a dataset."""

    @dg.asset(
        key=dataset.key("dataset_version"),
        deps=[dataset.key("sft_jsonl"), dataset.key("preference_jsonl")],
        check_specs=[
            dg.AssetCheckSpec(name, asset=dataset.key("dataset_version"), description=text)
            for name, text in CHECKS.items()
        ],
        group_name=dataset.group,
        code_version=code_version(),
        output_required=False,
        kinds={"jsonl"},
    )
    def dataset_version(
        context: dg.AssetExecutionContext, config: VersionConfig, datasets: Datasets
    ) -> Iterator[dg.MaterializeResult[Any]]:
        """All published files of all simulations, frozen under a name that never changes meaning.

        Taken are partitions whose latest attempt passed and whose files are the recorded ones;
        the rest are left out, each with its reason. The same content cuts no new version.
        """
        folders = datasets.of(dataset.name)
        try:
            taken = parts(context.instance, dataset, folders)
            share = dataset.options.test_share if config.test_share is None else config.test_share
            made = cut(folders.home, dataset.name, taken, split=Split(share))
            seen = verify(Shelf.of(folders.home, dataset.name), made.version)
        except ExportError as error:
            raise failure(error) from None
        for loss in losses(made):
            context.log.warning(loss)
        yield dg.MaterializeResult(
            metadata=metadata(made),
            data_version=dg.DataVersion(made.manifest["content"]),
            check_results=check_results(seen),
        )

    return dataset_version


def cut_version(dataset: Dataset, asset: dg.AssetsDefinition) -> Any:
    """The job that cuts a version of a dataset."""
    return dg.define_asset_job(
        dataset.named("cut_version"),
        selection=dg.AssetSelection.assets(asset),
        description="Freeze everything that is published as a version.",
    )
