"""``add``: rows of one's own become a simulation under the home."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import click

from whileai_export.cli.door import Door, command
from whileai_export.cli.fitness import looked_at
from whileai_export.cli.source import example, json_option, read_with, surroundings
from whileai_export.cli.terminal import as_json, say
from whileai_export.pipeline.folders import replaced
from whileai_export.shared.errors import OptionError
from whileai_export.shared.schema import JsonObject

SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.zst")


@example("add runs.jsonl --name support --system-prompt policy.md --tools tools.json")
@click.command("add")
@click.argument("file", type=click.Path(exists=True, path_type=Path))
@click.option("--name", required=True, help="What the simulation is called from now on.")
@surroundings
@click.option("--replace", is_flag=True, help="Take the place of a simulation of that name.")
@json_option
@click.pass_obj
def add(door: Door, /, file: Path, name: str, replace: bool, **given: Any) -> None:
    """Make a simulation of FILE under the home.

    FILE holds the rows, or is a simulation folder: trajectories.jsonl, with its profile.json.
    The rows are taken as they are, into a private folder. They are looked at by the adapter that
    export.toml names for them, or by the one given here.
    """
    project = door.open_project()
    former = project.folder(name)
    folder = former.with_name(name)
    if former.exists() and not replace:
        raise OptionError(f"there is a simulation {name!r} already; --replace takes its place")
    file = rows_of(file)
    around, decided = read_with(given), project.adapter(name)
    suffix = suffix_of(file)
    warnings = looked_at(file, around.or_by(decided), door)
    first = ""
    if around.adapter and around.adapter != decided:
        first = (
            f"write adapter = {json.dumps(around.adapter)} into [defaults] of export.toml, then "
        )
    project.begin()
    known = profile(file, around.system_prompt, around.tools)
    keep(file, suffix, folder, known, former)
    project.register(name)
    if door.as_json:
        told = [f"{first}run it"] if first else []
        as_json({"simulation": name, "folder": str(folder), "warnings": warnings + told})
        return
    say(f"added {name}: {folder}", "good")
    for warning in warnings:
        say(f"  warning  {warning}", "warn")
    say(f"next: {first}run the project on it:")
    say(f"  {command('run', name)}")


def rows_of(file: Path) -> Path:
    """The file itself; of a simulation folder the one that holds its rows."""
    if not file.is_dir():
        return file
    found = [path for suffix in SUFFIXES if (path := file / f"trajectories{suffix}").is_file()]
    if len(found) != 1:
        said = "none" if not found else ", ".join(path.name for path in found)
        raise OptionError(
            f"{file}: expected a simulation folder with one trajectories.jsonl in it, found {said};"
            " name the file that holds the rows"
        )
    return found[0]


def profile(file: Path, prompt: str | None, tools: list[JsonObject] | None) -> JsonObject:
    """What is known about all rows: what was given, else what the sidecar or profile says."""
    stem = file.name.split(".jsonl")[0]
    sidecar = _object_in(file.with_name(f"{stem}.meta.json"))
    beside = _object_in(file.with_name("profile.json"))
    known = {
        "policy": prompt or sidecar.get("system_prompt") or beside.get("policy"),
        "system_prompts": None if prompt else sidecar.get("system_prompts"),
        "tools": tools or sidecar.get("tools") or beside.get("tools"),
    }
    return {key: value for key, value in known.items() if value}


def suffix_of(file: Path) -> str:
    """How the name of the file ends; refused where it holds something else than lines."""
    suffix = next((s for s in SUFFIXES if file.name.endswith(s)), None)
    if suffix is None:
        raise OptionError(f"{file}: expected a file that ends in {', '.join(SUFFIXES)}")
    return suffix


def keep(file: Path, suffix: str, folder: Path, known: JsonObject, former: Path) -> None:
    """A private folder with the rows and what is known about them, renamed into place whole.

    ``former``: what it takes the place of; a file, where the simulation was one.
    """
    with replaced(folder, former) as made:
        prompts = known.pop("system_prompts", None)
        _put(made / "profile.json", json.dumps(known, indent=1, ensure_ascii=False).encode())
        if prompts:
            sidecar = json.dumps({"system_prompts": prompts}, ensure_ascii=False)
            _put(made / "trajectories.meta.json", sidecar.encode())
        with file.open("rb") as rows, _private(made / f"trajectories{suffix}") as copy:
            shutil.copyfileobj(rows, copy, 1024 * 1024)


def _put(path: Path, data: bytes) -> None:
    with _private(path) as file:
        file.write(data)


def _private(path: Path) -> Any:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def _object_in(path: Path) -> JsonObject:
    try:
        found = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise OptionError(f"{path}: expected JSON, got {error}") from error
    return found if isinstance(found, dict) else {}
