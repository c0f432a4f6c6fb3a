"""What every asset of a dataset declares in the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import dagster as dg

from whileai_export.defs.checks import check_specs
from whileai_export.defs.dataset import Dataset, code_version
from whileai_export.defs.write import AssetEvent

Body: TypeAlias = Callable[..., Iterator[AssetEvent]]


def declared(
    dataset: Dataset, asset: str, *, upstream: str | None = None
) -> Callable[[Body], dg.AssetsDefinition]:
    """The decorator of one asset. No output is required: a refused step yields none."""
    decorator: Any = dg.asset(
        key=dataset.key(asset),
        partitions_def=dataset.partitions,
        deps=[dataset.key(upstream)] if upstream else [],
        check_specs=check_specs(dataset, asset),
        group_name=dataset.group,
        code_version=code_version(),
        output_required=False,
        kinds={"jsonl"},
    )
    return decorator  # type: ignore[no-any-return]
