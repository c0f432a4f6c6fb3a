"""Options written as text, sorted to the steps that have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from whileai_export.defs.choices import choose
from whileai_export.defs.config import RunConfig
from whileai_export.defs.dataset import Dataset
from whileai_export.defs.defaults import CONFIGS, DEFAULTS
from whileai_export.pipeline.job import resolve_adapter
from whileai_export.pipeline.tokens import loaded
from whileai_export.shared.errors import OptionError
from whileai_export.shared.nearest import did_you_mean
from whileai_export.shared.project import RUN_KEYS

_LISTS = frozenset({"formats", "columns"})


def run_config(settings: Mapping[str, Any], dataset: Dataset | None = None) -> dict[str, Any]:
    """A run's config from flat settings; an option goes to every step that has it."""
    known = {name: None for config in CONFIGS.values() for name in config.model_fields}
    for name in settings:
        if name not in known:
            near = did_you_mean(name, known) or f"; there are {', '.join(sorted(known))}"
            raise OptionError(f"--set {name}: no such option{near}")
    keys = dataset or Dataset()
    chosen = {asset: _typed(config, settings) for asset, config in CONFIGS.items()}
    return {
        "ops": {
            keys.key(asset).to_python_identifier(): {"config": values}
            for asset, values in chosen.items()
            if values
        }
    }


def check_settings(settings: Mapping[str, Any], dataset: Dataset) -> None:
    """Refuse what no step of a dataset could mean, before any of them runs."""
    run_config(settings, dataset)
    for asset, config in CONFIGS.items():
        layers = dataset.options.for_kind(asset.removesuffix("_jsonl"))
        values = _typed(config, settings)
        try:
            choose(DEFAULTS[asset], config.model_fields, layers, values)
            _check_named(values)
        except OptionError as error:
            raise OptionError(f"--set {_of_a_step(str(error))}") from None


def _check_named(values: Mapping[str, Any]) -> None:
    """What options only name is there: the adapter, the tokenizer's file."""
    resolve_adapter(values.get("adapter"))
    if values.get("tokenizer") is not None:
        loaded(values["tokenizer"])


def _of_a_step(problem: str) -> str:
    """A format that only one of the steps has is for ``export.toml``, which tells them apart."""
    if not problem.startswith("format:"):
        return problem
    return f"formats{problem.removeprefix('format')}; export.toml sets `sft` and `preference` apart"


def _typed(config: type[RunConfig], settings: Mapping[str, Any]) -> dict[str, Any]:
    given = {name: _read(name, v) for name, v in settings.items() if name in config.model_fields}
    try:
        return config(**given).chosen()
    except ValidationError as error:
        name = str(error.errors()[0]["loc"][0])
        expected, got = RUN_KEYS[name], settings[name]
        raise OptionError(f"--set {name}: expected {expected}, got {got!r}") from None


def _read(name: str, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if value.lower() in ("none", "null"):
        return None
    return [part.strip() for part in value.split(",") if part.strip()] if name in _LISTS else value
