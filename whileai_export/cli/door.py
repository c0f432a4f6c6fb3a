"""What every command is given: the way to the project, the words it was called with."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from whileai_export.shared.errors import OptionError
from whileai_export.shared.project import OpenProject, Project

#: Options that are spelled in another way too, by what they are called here.
_SHORT = {"rows": "-n", "output": "-o"}


@dataclass(slots=True)
class Door:
    """Handed to every command as ``ctx.obj``."""

    open_project: OpenProject
    typed: tuple[str, ...] = ()
    """The arguments of this call, to be shown again with what would mend it."""
    as_json: bool = False
    source: str = ""
    """The FILE of this call, where it has one."""
    around: list[str] = field(default_factory=list)
    """Its system prompt and tools, as they were given."""

    def again(self, settings: Mapping[str, Any], *unsaid: str) -> str:
        """The same call under other settings: each is said once, however often it was.

        ``unsaid``: settings that the new ones take the place of.
        """
        former = {**dict.fromkeys(unsaid), **settings}
        return command(*_without(self.typed, former), *flags(settings))

    def exporting(self, settings: Mapping[str, Any], *bare: str) -> str:
        """The export of this call's FILE: beside a plain file, else into this folder.

        ``bare``: options that name a file which only the reader knows.
        """
        asked = [word for option in bare for word in (option, "FILE")]
        there = () if Path(self.source).is_file() else ("-o", f"{_stem(self.source)}.train.jsonl")
        return command("export", self.source, *self.around, *asked, *there, *flags(settings))

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


def _without(typed: Sequence[str], settings: Mapping[str, Any]) -> Iterator[str]:
    """The words of a call without those that say one of the settings."""
    names = {word: value for key, value in settings.items() for word in _spelled(key)}
    words = iter(typed)
    for word in words:
        name, value = _parted(word)
        if name not in names:
            yield word
        elif not value and not isinstance(names[name], bool):
            next(words, None)


def _parted(word: str) -> tuple[str, str]:
    """An option and the value that hangs on it: ``--rows=3``, ``-n3``."""
    if word[:1] == "-" and word[:2] != "--":
        return word[:2], word[2:]
    name, _, value = word.partition("=")
    return name, value


def _spelled(key: str) -> tuple[str, ...]:
    """Every way to name an option."""
    dashed = key.replace("_", "-")
    return (f"--{dashed}", f"--no-{dashed}", *([_SHORT[key]] if key in _SHORT else []))


def _flag(key: str, value: Any) -> tuple[str, ...]:
    said, unsaid, *short = _spelled(key)
    if isinstance(value, bool):
        return (said if value else unsaid,)
    return (*(short or [said]), "none" if value is None else str(value))


def _stem(source: str) -> str:
    """What a file, a simulation's folder or a URL is called."""
    place = Path(source).resolve()
    if place.name.startswith("trajectories.jsonl"):
        place = place.parent
    return place.name.split(".jsonl")[0]


def _from_here(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)
