"""Options written as text, sorted to the steps that have them."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError

from whileai_export.defs.config import RunConfig
from whileai_export.defs.dataset import Dataset
from whileai_export.defs.defaults import CONFIGS
from whileai_export.shared.errors import OptionError

_LISTS = frozenset({"formats", "columns"})
_EXPECTED = {"bool_parsing": "true or false", "int_parsing": "int", "float_parsing": "float"}


def run_config(settings: Mapping[str, Any], dataset: Dataset | None = None) -> dict[str, Any]:
    """A run's config from flat settings; an option goes to every step that has it."""
    known = {name for config in CONFIGS.values() for name in config.model_fields}
    for name in settings:
        if name not in known:
            near = get_close_matches(name, known, 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise OptionError(f"--set {name}: no such option{hint}")
    keys = dataset or Dataset()
    chosen = {asset: _typed(config, settings) for asset, config in CONFIGS.items()}
    return {
        "ops": {
            keys.key(asset).to_python_identifier(): {"config": values}
            for asset, values in chosen.items()
            if values
        }
    }


def _typed(config: type[RunConfig], settings: Mapping[str, Any]) -> dict[str, Any]:
    given = {name: _read(name, v) for name, v in settings.items() if name in config.model_fields}
    try:
        return config(**given).chosen()
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        expected = _EXPECTED.get(first["type"], first["msg"].lower())
        raise OptionError(f"--set {name}: expected {expected}, got {settings[name]!r}") from None


def _read(name: str, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if value.lower() in ("none", "null"):
        return None
    return [part.strip() for part in value.split(",") if part.strip()] if name in _LISTS else value
