"""The project in one home: the persistent instance beside it, runs in this process, the UI."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

import dagster as dg

from whileai_export.defs import pages
from whileai_export.defs.cutting import version_of
from whileai_export.defs.dataset import Dataset
from whileai_export.defs.executed import executed
from whileai_export.defs.export_toml import read_decisions
from whileai_export.defs.factory import pipeline
from whileai_export.defs.found import untaken
from whileai_export.defs.history import recorded
from whileai_export.defs.instance import begin, instance_at, present_at
from whileai_export.defs.outcomes import outcomes
from whileai_export.defs.own_modules import importable
from whileai_export.defs.own_options import of_latest_attempt
from whileai_export.defs.resources import HOME_VARIABLE, Datasets, default_home
from whileai_export.defs.settings import check_settings, run_config
from whileai_export.defs.standings import standings
from whileai_export.pipeline.files import shown
from whileai_export.pipeline.store import listed
from whileai_export.shared.errors import OptionError
from whileai_export.shared.plain_name import plain_name
from whileai_export.shared.project import Standing, Step
from whileai_export.shared.schema import JsonObject


class LocalProject:
    """A home with simulations, and the persistent Dagster instance beside them."""

    def __init__(self, home: Path) -> None:
        self.home = home
        importable(home)
        decided = read_decisions(home)
        self.resource = Datasets(home=str(home), workers=decided.workers)
        self.folders = self.resource.of()
        self.datasets = [Dataset(name, options) for name, options in decided.datasets.items()]

    @classmethod
    def here(cls) -> LocalProject:
        """The project in the home that the environment names."""
        return cls(default_home())

    def begin(self) -> None:
        """Make the home, private, where there is none."""
        self.home.mkdir(mode=0o700, parents=True, exist_ok=True)

    def simulations(self) -> list[str]:
        """The registered simulations, sorted."""
        names = [_partitions(dataset) for dataset in self.datasets]
        with recorded(self.instance):
            found = [self.instance.get_dynamic_partitions(name) for name in names]
        return sorted({key for keys in found for key in keys})

    def folder(self, name: str) -> Path:
        """Where the simulation of that name lies or would lie."""
        return self.folders.simulation(name)

    def stores(self, name: str) -> Mapping[str, bool]:
        """The stores in which a simulation of that name may lie, each with whether it does."""
        taking = self._matching(plain_name(name))
        urls = [d.options.store for d in taking if d.options.store is not None]
        return {shown(url): name in listed(url) for url in dict.fromkeys(urls)}

    def adapter(self, name: str) -> str | None:
        """What turns the rows of a simulation of that name into ones that are read, as decided."""
        taking = self._matching(plain_name(name))
        return next((d.options.adapter for d in taking if d.options.adapter), None)

    def register(self, name: str) -> None:
        """Make a simulation under the home a partition of every dataset that takes it."""
        self._register(name, self._taking(plain_name(name)))

    def check(self, name: str, settings: Mapping[str, Any]) -> None:
        """Refuse settings of a run that mean nothing; nothing is run or recorded."""
        for dataset in self._taking(name):
            check_settings(settings, dataset)

    def run(
        self,
        name: str,
        settings: Mapping[str, Any],
        workers: int | None = None,
        only: Collection[str | None] | None = None,
    ) -> Iterator[Step]:
        """Run the asset graph for one simulation; a step for each asset, in order."""
        resource = Datasets(home=str(self.home), workers=workers or self.resource.workers)
        # Those that are named have it, even where export.toml says another pattern by now.
        running = self._taking(name) if only is None else self._named(only)
        self._register(name, running)  # a dataset may have come since it was
        for dataset in running:
            definitions = pipeline(dataset.name, dataset.options, resource)
            job = definitions.resolve_job_def(dataset.named("export_simulation"))
            config = run_config(settings, dataset)
            result = executed(job, self.instance, partition=name, config=config)
            for step in outcomes(result, self.resource.of(dataset.name), name):
                yield replace(step, asset=dataset.key(step.asset).to_user_string())

    def own_options(self, name: str) -> Mapping[str, Any]:
        """What the latest run of a simulation was given beside what is configured."""
        found: dict[str, Any] = {}
        for dataset in self._taking(name):
            found |= of_latest_attempt(self.resource.of(dataset.name), name)
        return found

    def standings(self) -> Iterator[Standing]:
        """Where every simulation under the home stands, each judged when it is asked for."""
        with recorded(self.present_instance):
            yield from standings(self.present_instance, self.datasets, self.resource)

    def untaken(self) -> list[str]:
        """The simulations under the home that no dataset takes."""
        return untaken(self.folders, self.patterns())

    def patterns(self) -> list[str]:
        """How the datasets name the simulations that they take."""
        return [dataset.options.simulations for dataset in self.datasets]

    def cut(self, dataset: str | None = None) -> list[JsonObject]:
        """Cut a version of one dataset, or of each; what was taken and what was left out."""
        wanted = [d for d in self.datasets if dataset in (None, d.name)]
        if not wanted:
            names = ", ".join(d.name for d in self.datasets if d.name) or "none with a name"
            raise OptionError(f"there is no dataset {dataset!r}; export.toml names {names}")
        return [version_of(each, self.resource, self.instance) for each in wanted]

    def serve(self, port: int, everything: bool = False) -> NoReturn:
        """Become the UI on 127.0.0.1, over this home and its instance.

        It starts in the instance's folder: what lies in the user's own is not imported.
        ``everything``: the terminal is told what runs and sensors do, not problems alone.
        """
        place = self.instance_folder
        os.environ.update({"DAGSTER_HOME": str(place), HOME_VARIABLE: str(self.home)})
        pages.prepare(place, everything)
        os.chdir(place)
        # A shell that starts a job in the background lets it ignore these; the pages must not.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        os.execv(sys.executable, pages.start(port, everything))

    @property
    def instance_folder(self) -> Path:
        """``.dagster`` under the home; made with its settings where there is none."""
        self.begin()
        place = self.home / ".dagster"
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        for path in (place, *place.glob("*/*.db"), *place.glob("*/runs/index.db")):
            if not os.access(path, os.W_OK):
                raise OptionError(f"{self.home}: this home cannot be written: permission denied")
        begin(place)
        return place

    @cached_property
    def instance(self) -> dg.DagsterInstance:
        """The instance that keeps the history of this home."""
        return instance_at(self.instance_folder)

    @cached_property
    def present_instance(self) -> dg.DagsterInstance:
        """The instance, for a question; where there is none yet, one that is gone afterwards."""
        return present_at(self.home / ".dagster")

    def _register(self, name: str, datasets: list[Dataset]) -> None:
        for dataset in datasets:
            with recorded(self.instance):
                self.instance.add_dynamic_partitions(_partitions(dataset), [name])

    def _named(self, names: Collection[str | None]) -> list[Dataset]:
        return [dataset for dataset in self.datasets if dataset.name in names]

    def _matching(self, name: str) -> list[Dataset]:
        return [d for d in self.datasets if fnmatchcase(name, d.options.simulations)]

    def _taking(self, name: str) -> list[Dataset]:
        """The datasets that take a simulation of that name."""
        found = self._matching(name)
        if not found:
            patterns = ", ".join(self.patterns())
            raise OptionError(f"no dataset takes {name}: export.toml names {patterns}")
        return found


def _partitions(dataset: Dataset) -> str:
    return str(dataset.partitions.name)
