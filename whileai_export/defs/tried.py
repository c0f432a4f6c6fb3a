"""Values of ``export.toml`` that nothing could mean, told one by one when the file is read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, get_args

import dagster as dg
from pydantic import TypeAdapter, ValidationError

from whileai_export.defs.choices import Layer, changed, choose
from whileai_export.defs.dataset import DatasetOptions, Nightly
from whileai_export.defs.defaults import CONFIGS, DEFAULTS
from whileai_export.pipeline.columns import check_columns
from whileai_export.shared.errors import OptionError
from whileai_export.shared.options import check

#: Keys that hold the formats of one step, and whose.
FORMATS = {"sft": "sft_jsonl", "preference": "preference_jsonl"}
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
#: What stands among the versions of a dataset without a name.
_VERSION = re.compile(r"v[0-9]+|latest", re.IGNORECASE)
#: TOML has no null.
NONE = "none"
#: What an option needs beside it: each is told alone, all of them by ``together``.
_BESIDE: Mapping[str, Mapping[str, Any]] = {
    "max_tokens": {"tokenizer": "tokenizer.json"},
    "drop_long": {"max_tokens": 1, "tokenizer": "tokenizer.json"},
}


def meant(key: str, value: object) -> object:
    """The value itself; of an option that may be null, null where the text ``none`` says so."""
    fields = (config.model_fields.get(key) for config in CONFIGS.values())
    kinds = [field.annotation for field in fields if field is not None]
    return None if value == NONE and any(type(None) in get_args(kind) for kind in kinds) else value


def option(key: str, value: object) -> None:
    """Refuse a value that no step could take."""
    for asset, config in CONFIGS.items():
        name = "formats" if FORMATS.get(key) == asset else key
        if name not in config.model_fields or (name == "formats") != (key in FORMATS):
            continue
        kind: Any = config.model_fields[name].annotation
        try:
            TypeAdapter(kind).validate_python(value, strict=True)
        except ValidationError as error:
            said = error.errors()[0]["msg"].lower()
            raise OptionError(f"{key}: {said}, got {value!r}") from None
        options = changed(DEFAULTS[asset], {**_BESIDE.get(name, {}), name: value})
        check(options)
        check_columns(options.columns)


def together(layers: tuple[Layer, ...]) -> None:
    """Refuse options that contradict each other, each of which could be meant."""
    for asset, config in CONFIGS.items():
        own = DatasetOptions(layers).for_kind(asset.removesuffix("_jsonl"))
        choose(DEFAULTS[asset], config.model_fields, own, {})


def paths(value: object) -> None:
    """Refuse what is no list of paths."""
    if not isinstance(value, list) or not all(isinstance(path, str) and path for path in value):
        raise OptionError(f"holdout: expected a list of paths under the home, got {value!r}")


def cron(nightly: Nightly) -> None:
    """Refuse a time that never comes."""
    try:
        dg.ScheduleDefinition(
            job_name="nightly", cron_schedule=nightly.cron, execution_timezone=nightly.timezone
        )
    except dg.DagsterInvalidDefinitionError:
        raise OptionError(
            "cron: expected a cron line and a time zone,"
            f" got {nightly.cron!r}, {nightly.timezone!r}"
        ) from None


def dataset_name(name: str) -> None:
    """Refuse what cannot be the prefix of assets."""
    if not _NAME.fullmatch(name):
        raise OptionError(f"dataset name: expected a letter, then letters, digits, _; got {name!r}")
    if _VERSION.fullmatch(name):
        raise OptionError(f"dataset name: expected a name that no version has, got {name!r}")
