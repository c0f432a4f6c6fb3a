"""Values of ``export.toml`` that nothing could mean, told one by one when the file is read."""

from __future__ import annotations

import re
from typing import Any

import dagster as dg
from pydantic import TypeAdapter, ValidationError

from whileai_export.defs.choices import changed
from whileai_export.defs.dataset import Nightly
from whileai_export.defs.defaults import CONFIGS, DEFAULTS
from whileai_export.shared.errors import OptionError
from whileai_export.shared.options import check

#: Keys that hold the formats of one step, and whose.
FORMATS = {"sft": "sft_jsonl", "preference": "preference_jsonl"}
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")


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
        check(changed(DEFAULTS[asset], {name: value}))


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
