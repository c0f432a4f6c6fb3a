"""``export.toml``: the decisions of a home, read once when the project is loaded.

A wrong key or value is refused with its line; Dagster shows the words where the project should be.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NoReturn

import dagster as dg

from whileai_export.defs import tried
from whileai_export.defs.choices import Layer
from whileai_export.defs.dataset import DatasetOptions, Nightly
from whileai_export.defs.defaults import CONFIGS
from whileai_export.defs.executors import executor
from whileai_export.defs.lines_of import line_of
from whileai_export.pipeline.store import is_url
from whileai_export.shared.errors import OptionError
from whileai_export.shared.nearest import did_you_mean
from whileai_export.versions import Split

FILE = "export.toml"
_TABLES = ("defaults", "dataset", "nightly", "alerts", "executor")
_TEXTS = ("simulations", "system_prompt")
_OF_DATASET = (*_TEXTS, "test_share", "holdout")
OPTIONS = sorted({n for c in CONFIGS.values() for n in c.model_fields} - {"formats"})
_ELSEWHERE = " here; it stands under [defaults] or [dataset.NAME]"
KEYS = (*tried.FORMATS, *_OF_DATASET, *OPTIONS)


@dataclass(frozen=True, slots=True)
class Decisions:
    """What a home decides: its datasets by name (None: the unnamed one), who is told of failures,
    what carries the steps, and how many processes a step may use."""

    datasets: Mapping[str | None, DatasetOptions] = field(
        default_factory=lambda: {None: DatasetOptions()}
    )
    webhook: str | None = None
    executor: dg.ExecutorDefinition = dg.in_process_executor
    workers: int = 1


def read_decisions(home: Path) -> Decisions:
    """The decisions in the home's ``export.toml``; the defaults where there is no such file."""
    path = home / FILE
    try:
        text = path.read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return Decisions()
    except PermissionError as error:
        closed = path if os.access(home, os.X_OK) else home
        raise OptionError(f"{closed}: cannot be read: {error.strerror}") from None
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise OptionError(f"{path}: expected TOML: {error}") from None
    return _Reader(path, text).decisions(content)


class _Reader:
    """One file, read from the outside in; every refusal says its line."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.text = text

    def decisions(self, content: Mapping[str, Any]) -> Decisions:
        self._known("", content, _TABLES)
        defaults = self._options("defaults", self._table("", content, "defaults"))
        nightly = self._nightly(self._table("", content, "nightly"))
        alerts = self._table("", content, "alerts")
        self._known("alerts", alerts, ("webhook",))
        named = self._table("", content, "dataset")
        datasets: dict[str | None, DatasetOptions] = {}
        for name in named:
            at = f"dataset.{name}"
            self._say(at, None, tried.dataset_name, name)
            own = self._options(at, self._table("dataset", named, name))
            datasets[name] = self._dataset(nightly, defaults, Layer(f"[{at}]", own))
        datasets = datasets or {None: self._dataset(nightly, defaults)}
        patterns = tuple(options.simulations for options in datasets.values())
        first = next((name for name, options in datasets.items() if not options.store), None)
        if first in datasets:
            datasets[first] = replace(datasets[first], patterns=patterns)
        carrier = self._table("", content, "executor")
        return Decisions(
            datasets,
            self._text("alerts", "webhook", alerts.get("webhook")),
            self._executor(carrier),
            self._workers(carrier.get("workers", 1)),
        )

    def _dataset(
        self, nightly: Nightly, defaults: Mapping[str, Any], *own: Layer
    ) -> DatasetOptions:
        layers = (Layer("[defaults]", defaults), *own)
        texts = {n: v for layer in layers for n, v in layer.values.items() if n in _OF_DATASET}
        options = [Layer(y.source, {n: v for n, v in y.values.items() if n not in _OF_DATASET})
                   for y in layers]  # fmt: skip
        self._together(options)
        texts["holdout"] = tuple(texts.get("holdout", ()))
        naming = [layer.source for layer in layers if "holdout" in layer.values]
        texts["holdout_from"] = naming[-1] if naming else ""
        if is_url(texts.get("simulations", "")):
            texts["store"], _, pattern = texts["simulations"].rpartition("/")
            texts["simulations"] = pattern or "*"
        return DatasetOptions(tuple(options), nightly=nightly, **texts)

    def _together(self, layers: list[Layer]) -> None:
        """What one table says may go wrong with what the other says; the nearer is named."""
        try:
            tried.together(tuple(layers))
        except OptionError as error:
            key = str(error).partition(":")[0]
            tables = [layer.source.strip("[]") for layer in reversed(layers)]
            at = next((table for table in tables if line_of(self.text, table, key)), tables[0])
            self._refuse(at, key, str(error))

    def _options(self, table: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
        self._known(table, values, KEYS)
        for key, value in values.items():
            if key in _TEXTS:
                self._text(table, key, value)
            elif key == "holdout":
                self._say(table, key, tried.paths, value)
            elif key in _OF_DATASET:
                self._say(table, key, Split, value)
            else:
                self._say(table, key, tried.option, key, tried.meant(key, value))
        return {key: tried.meant(key, value) for key, value in values.items()}

    def _nightly(self, values: Mapping[str, Any]) -> Nightly:
        self._known("nightly", values, ("cron", "timezone"))
        nightly = Nightly(**{key: self._text("nightly", key, v) for key, v in values.items()})
        self._say("nightly", next(iter(values), None), tried.cron, nightly)
        return nightly

    def _executor(self, values: Mapping[str, Any]) -> dg.ExecutorDefinition:
        self._known("executor", values, ("name", "config", "workers"))
        name = self._text("executor", "name", values.get("name", "in_process"))
        config = self._table("executor", values, "config") if "config" in values else None
        try:
            return executor(name, config)
        except OptionError as error:
            self._refuse("executor", str(error).partition(":")[0], str(error))

    def _workers(self, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            problem = f"workers: expected a whole number from 1, got {value!r}"
            self._refuse("executor", "workers", problem)
        return value

    def _table(self, table: str, values: Mapping[str, Any], key: str) -> Mapping[str, Any]:
        found = values.get(key, {})
        if not isinstance(found, dict):
            self._refuse(table, key, f"{key}: expected a table, got {type(found).__name__}")
        return found

    def _text(self, table: str, key: str, value: object) -> Any:
        if value is not None and (not isinstance(value, str) or not value):
            self._refuse(table, key, f"{key}: expected text, got {value!r}")
        return value

    def _known(self, table: str, values: Mapping[str, Any], keys: tuple[str, ...]) -> None:
        for key in values:
            if key not in keys:
                here = did_you_mean(key, keys) if key not in KEYS else _ELSEWHERE
                self._refuse(table, key, f"{key}: no such key{here}")

    def _say(self, table: str, key: str | None, attempt: Callable[..., Any], *given: Any) -> None:
        try:
            attempt(*given)
        except OptionError as error:
            self._refuse(table, key, str(error))

    def _refuse(self, table: str, key: str | None, problem: str) -> NoReturn:
        line = line_of(self.text, table, key) or line_of(self.text, key or "")
        line = line or line_of(self.text, table)
        where = f"{self.path}, line {line}" if line else str(self.path)
        raise OptionError(f"{where}: {problem}")
