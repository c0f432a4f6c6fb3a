"""What carries the steps of a run: this process, several, or an executor of Dagster's plugins."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import dagster as dg

from whileai_export.shared.errors import OptionError

OURS: Mapping[str, dg.ExecutorDefinition] = {
    "in_process": dg.in_process_executor,
    "multiprocess": dg.multiprocess_executor,
}


def executor(
    name: str = "in_process", config: Mapping[str, Any] | None = None
) -> dg.ExecutorDefinition:
    """The executor of that name under its own config; refuses what it would not start with.

    A plugin's is named by its place: ``dagster_celery:celery_executor``.
    """
    found = OURS.get(name) or _elsewhere(name)
    if config is None:
        return found
    _check(found, config)
    return found.configured(dict(config))


def _elsewhere(name: str) -> dg.ExecutorDefinition:
    module, _, attribute = name.partition(":")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError):
        found = None
    if not isinstance(found, dg.ExecutorDefinition):
        raise OptionError(
            f"name: expected {', '.join(OURS)}, or an installed executor as pkg.mod:name,"
            f" got {name!r}"
        )
    return found


def _check(found: dg.ExecutorDefinition, config: Mapping[str, Any]) -> None:
    """Dagster reads an executor's config when a run starts; a wrong one is said now."""
    probe = dg.GraphDefinition("probe").to_job(executor_def=found)
    try:
        dg.validate_run_config(probe, {"execution": {"config": dict(config)}})
    except dg.DagsterInvalidConfigError as error:
        said = error.errors[0].message if error.errors else "no such config"
        raise OptionError(f"config: {said}") from None
