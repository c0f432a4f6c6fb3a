"""One simulation run through the asset graph, watched and told."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any

from whileai_export.cli import steps
from whileai_export.cli.bar import following
from whileai_export.cli.door import Door, command
from whileai_export.pipeline.store import MARKER
from whileai_export.shared.errors import ExportError
from whileai_export.shared.project import Project, Step
from whileai_export.shared.watching import watched


def run_one(
    door: Door,
    project: Project,
    name: str,
    values: Mapping[str, Any],
    workers: int | None = None,
    only: Collection[str | None] | None = None,
) -> list[Step]:
    """What became of it; ``only``: the datasets for which it is run, where not for all."""
    with following(f"running {name}", door.as_json) as watching, watched(watching):
        found = list(project.run(name, values, workers, only))
    if not door.as_json:
        steps.show(name, found, values, _again(project, name))
    return found


def _again(project: Project, name: str) -> str:
    """The call that adds a simulation again with all that it has; empty where a store keeps it."""
    with suppress(ExportError):
        folder = project.folder(name)
        if not (folder / MARKER).exists():
            return command("add", steps.near(str(folder)), "--name", name)
    return ""
