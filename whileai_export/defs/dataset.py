"""One dataset: its name, its options, and what Dagster calls its parts."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import dagster as dg

from whileai_export.defs.choices import Layer
from whileai_export.defs.partitions import by_simulation
from whileai_export.defs.resources import Folders
from whileai_export.shared.errors import OptionError

GROUP = "whileai_export"
#: What can change a byte of the output; a change anywhere else leaves a file current.
_WRITING_ROOMS = ("core", "io", "pipeline", "shared")


@dataclass(frozen=True, slots=True)
class Nightly:
    """When the nightly export runs, once it is switched on."""

    cron: str = "0 2 * * *"
    timezone: str = "UTC"


@dataclass(frozen=True, slots=True)
class DatasetOptions:
    """What a dataset decides: option layers, which simulations it takes, its system prompt."""

    layers: tuple[Layer, ...] = ()
    simulations: str = "*"
    """Which simulations it takes, by name; in a store too."""
    store: str | None = None
    """The URL of the folder whose simulations it takes, in place of the home's own."""
    system_prompt: str | None = None
    patterns: tuple[str, ...] = ()
    """Of the first dataset without a store: the names that all take, to tell what none does."""
    nightly: Nightly = Nightly()
    test_share: float = 0.0
    """The share of tasks that versions hold back for testing."""
    holdout: tuple[str, ...] = ()
    """Evaluation files, relative to the home."""
    holdout_from: str = ""
    """The table of ``export.toml`` that names them."""

    @property
    def adapter(self) -> str | None:
        """What turns its rows into ones that are read, as ``export.toml`` decides."""
        said = [layer.values["adapter"] for layer in self.layers if "adapter" in layer.values]
        return said[-1] if said else None

    def for_kind(self, kind: str) -> tuple[Layer, ...]:
        """The layers as one step reads them: its own formats are its ``formats``."""
        return tuple(Layer(layer.source, _renamed(layer.values, kind)) for layer in self.layers)


@dataclass(frozen=True)
class Dataset:
    """A named dataset has its own partitions, asset prefix and group; an unnamed one has none."""

    name: str | None = None
    options: DatasetOptions = field(default_factory=DatasetOptions)

    @cached_property
    def partitions(self) -> dg.DynamicPartitionsDefinition:
        """One partition a simulation."""
        return by_simulation(self.name)

    @property
    def group(self) -> str:
        """The group its assets stand in."""
        return self.name or GROUP

    def system_prompt(self, folders: Folders) -> str | None:
        """The text of the file that the options name; None where they name none."""
        if self.options.system_prompt is None:
            return None
        path = folders.checked(folders.home / self.options.system_prompt)
        try:
            return path.read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            raise OptionError(
                f"system_prompt: expected a text file under the home,"
                f" got {self.options.system_prompt!r}"
            ) from None

    def key(self, asset: str) -> dg.AssetKey:
        """The key of one of its assets."""
        return dg.AssetKey([self.name, asset] if self.name else [asset])

    def named(self, part: str) -> str:
        """The name of a job, sensor or schedule of this dataset."""
        return f"{self.name}_{part}" if self.name else part


@cache
def code_version() -> str:
    """The first 16 hex of a sha256 over the source that writes the files.

    Not the package's version: what counts is whether the bytes could come out another way.
    """
    root = Path(__file__).parents[1]
    sources = [root / "export.py"]
    sources += sorted(path for room in _WRITING_ROOMS for path in (root / room).rglob("*.py"))
    seen = hashlib.sha256()
    for path in sources:
        seen.update(f"{path.relative_to(root).as_posix()}\n".encode() + path.read_bytes())
    return seen.hexdigest()[:16]


def _renamed(values: Mapping[str, Any], kind: str) -> dict[str, Any]:
    return {"formats" if name == kind else name: value for name, value in values.items()}
