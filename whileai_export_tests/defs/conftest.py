"""A home of its own for every test, and an instance that is gone afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import dagster as dg
import pytest

from whileai_export.defs.dataset import DatasetOptions
from whileai_export.defs.factory import pipeline
from whileai_export.defs.resources import Datasets
from whileai_export_tests.defs.homes import Project


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., Project]]:
    """Projects over one home."""
    with dg.DagsterInstance.ephemeral() as instance:

        def made(name: str | None = None, options: DatasetOptions | None = None) -> Project:
            datasets = Datasets(home=str(tmp_path))
            definitions = pipeline(name, options or DatasetOptions(), datasets)
            return Project(tmp_path, instance, definitions, datasets.of(name), name)

        yield made


@pytest.fixture
def project(make: Callable[..., Project]) -> Project:
    """A home with nothing in it."""
    return make()


@pytest.fixture
def lasting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    """A home with an instance on the disk, so that everything it keeps can be read."""
    monkeypatch.setenv("DAGSTER_DISABLE_TELEMETRY", "1")
    home = tmp_path / "home"
    home.mkdir()
    with dg.instance_for_test(temp_dir=str(tmp_path)) as instance:
        datasets = Datasets(home=str(home))
        yield Project(home, instance, pipeline(resource=datasets), datasets.of())
