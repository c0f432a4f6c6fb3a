"""The sample simulations under a home, where they take the place of nobody's work."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from whileai_export.cli.door import command
from whileai_export.cli.terminal import say
from whileai_export.demo import Simulation
from whileai_export.export import save_simulation
from whileai_export.pipeline.folders import replaced
from whileai_export.shared.errors import OptionError
from whileai_export.shared.project import Project


def refuse_others(project: Project, samples: Iterable[Simulation]) -> None:
    """Refuse where a simulation of a sample's name is somebody's own, before anything is made."""
    for sample in samples:
        project.check(sample.name, {})
        folder = project.folder(sample.name)
        if folder.exists() and not _is(sample, folder):
            elsewhere = f"WHILEAI_EXPORT_HOME=demo_home {command('demo')}"
            raise OptionError(
                f"there is a simulation {sample.name!r} already that is not the demo's: {folder};"
                f" give the demo a home of its own: {elsewhere};"
                f" or remove it: rm -r {shlex.quote(str(folder))}"
            )


def _is(sample: Simulation, folder: Path) -> bool:
    """Whether the very files of a sample lie in a folder, and no others."""
    with TemporaryDirectory() as scratch:
        made = save_simulation(sample, Path(scratch) / sample.name)
        return folder.is_dir() and _files(folder) == _files(made)


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def put(project: Project, sample: Simulation) -> None:
    """Put a sample under the home; one that lies there already is left alone."""
    folder = project.folder(sample.name)
    if not folder.exists():
        with replaced(folder) as made:
            save_simulation(sample, made)
    project.register(sample.name)


def left_alone(name: str, options: Mapping[str, Any]) -> None:
    """Say that a run of the user stands, and what would undo it."""
    told = ", ".join(f"{option}={json.dumps(value)}" for option, value in options.items())
    say()
    say(f"{name}: left as it is; its last run was given {told}")
    say("next: to run it without:")
    say(f"  {command('run', name)}")
