"""What ``dagster dev`` loads: the datasets of the home, each with its assets, checks and job."""

from __future__ import annotations

import dagster as dg

from whileai_export.defs.alerts import alerts
from whileai_export.defs.export_toml import read_decisions
from whileai_export.defs.factory import pipeline
from whileai_export.defs.resources import Datasets, default_home

__all__ = ["defs", "pipeline"]

_decisions = read_decisions(default_home())
_datasets = Datasets(workers=_decisions.workers)

defs = dg.Definitions.merge(
    *(
        pipeline(name, options, _datasets, _decisions.executor)
        for name, options in _decisions.datasets.items()
    ),
    dg.Definitions(sensors=[alerts(_decisions.webhook)]),
)
