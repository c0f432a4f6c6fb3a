"""What every command is given: the way to the project, the words it was called with."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whileai_export.shared.errors import OptionError
from whileai_export.shared.project import OpenProject, Project


@dataclass(slots=True)
class Door:
    """Handed to every command as ``ctx.obj``."""

    open_project: OpenProject
    typed: tuple[str, ...] = ()
    """The arguments of this call, to be shown again with what would mend it."""
    as_json: bool = False

    def present_project(self) -> Project:
        """The project of a home that is there; asking a question makes none."""
        project = self.open_project()
        if not project.home.is_dir():
            makes = command("add", "FILE", "--name", "NAME")
            raise OptionError(
                f"there is no home here: expected {project.home}, or WHILEAI_EXPORT_HOME to name"
                f" another; this makes one: {makes}"
            )
        return project


def program() -> str:
    """This program as it can be typed again from here."""
    called = Path(sys.argv[0])
    if called.name != "whileai-export":
        return f"{_from_here(Path(sys.executable))} -m whileai_export"
    if shutil.which("whileai-export") == str(called):
        return "whileai-export"
    return _from_here(called)


def command(*words: str) -> str:
    """A line that can be pasted into a shell."""
    return f"{program()} {shlex.join(words)}"


def flags(settings: Mapping[str, Any]) -> list[str]:
    """Settings as the options of ``export`` and ``preference``."""
    return [word for key, value in settings.items() for word in _flag(key, value)]


def again(typed: Sequence[str], extra: Sequence[str]) -> str:
    """The same call with more options; one that is given twice counts as given last."""
    return command(*typed, *extra)


def _from_here(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def _flag(key: str, value: Any) -> tuple[str, ...]:
    dashed = key.replace("_", "-")
    if isinstance(value, bool):
        return (f"--{dashed}" if value else f"--no-{dashed}",)
    return (f"--{dashed}", str(value))
