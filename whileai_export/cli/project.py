"""``demo``, ``run`` and ``ui``: the Dagster project from the command line."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

import click

from whileai_export.cli import samples, steps
from whileai_export.cli.door import Door, command
from whileai_export.cli.running import run_one
from whileai_export.cli.source import example, json_option
from whileai_export.cli.stale import refuse_beside, run_stale
from whileai_export.cli.terminal import as_json, say
from whileai_export.demo import parcel_desk, workshop_desk
from whileai_export.shared.errors import OptionError
from whileai_export.shared.nearest import did_you_mean
from whileai_export.shared.project import RUN_KEYS, Project, Step

#: Simulations that are named to somebody who named none of them.
_SOME = 10


@example("demo")
@click.command("demo")
@json_option
@click.pass_context
def demo(context: click.Context) -> None:
    """Make two sample simulations and run the project on them.

    One is clean and is published; in the other three replies quote the grader, so it is refused.
    A simulation of the same name that is not the demo's, and a run with options of its own, stay.
    """
    door: Door = context.obj
    project = door.open_project()
    simulations = (workshop_desk(), parcel_desk())
    samples.refuse_others(project, simulations)
    project.begin()
    ran: dict[str, list[Step]] = {}
    left: dict[str, Mapping[str, Any]] = {}
    for simulation in simulations:
        name = simulation.name
        samples.put(project, simulation)
        own = project.own_options(name)
        if own:
            left[name] = own
        else:
            ran[name] = run_one(door, project, name, {})
    if door.as_json:
        as_json({**steps.plain(project.home, ran), "left_alone": left})
    else:
        for name, options in left.items():
            samples.left_alone(name, options)
        _where_to_look(project.home)
    context.exit(2 if steps.exit_code(ran) == 2 else 0)


@example("run workshop_desk --set min_reward=1.0", keys=RUN_KEYS)
@click.command("run")
@click.argument("names", metavar="SIMULATION...", nargs=-1)
@click.option(
    "--set", "settings", metavar="KEY=VALUE", multiple=True, help="An option; repeatable."
)
@click.option("--workers", type=click.IntRange(1), help="Processes a step may use. [1]")
@click.option("--stale", is_flag=True, help="In place of names: what the schedule `nightly` would.")
@json_option
@click.pass_context
def run(
    context: click.Context,
    names: tuple[str, ...],
    settings: tuple[str, ...],
    workers: int | None,
    stale: bool,
) -> None:
    """Run the asset graph for simulations under the home.

    `--stale` takes all that are not current, new ones too, and says what it leaves alone: what is
    current, what a gate would refuse again, what a run is at work on.
    """
    door: Door = context.obj
    if stale:
        refuse_beside(names, settings)
    project = door.present_project()
    if stale:
        run_stale(context, project, workers)
    if not names:
        _unnamed(project)
    new = _known(project, names)
    values = dict(assignment(text) for text in settings)
    for name in names:
        project.check(name, values)
    for name in new:
        project.register(name)
    ran: dict[str, list[Step]] = {}
    for name in names:
        ran[name] = run_one(door, project, name, values, workers)
    if door.as_json:
        as_json(steps.plain(project.home, ran))
    context.exit(steps.exit_code(ran))


@example("ui --port 3000")
@click.command("ui")
@click.option("--port", type=click.IntRange(1, 65535), default=3000, help="Port to use. [3000]")
@click.option("-v", "--verbose", is_flag=True, help="Say what runs and sensors do as well.")
@click.pass_obj
def ui(door: Door, port: int, verbose: bool) -> None:
    """Open the project's pages on 127.0.0.1; Ctrl-C ends it."""
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", port)) == 0:
            other = command("ui", "--port", str(port + 1))
            raise OptionError(f"port {port} is in use; take another: {other}")
    project = door.open_project()
    say(f"http://127.0.0.1:{port}  (home: {project.home}; Ctrl-C ends it)")
    say("starting, about 20 seconds")
    project.serve(port, verbose)


def _known(project: Project, names: tuple[str, ...]) -> list[str]:
    """Refuse a name that is none; those that somebody put under the home by hand are new."""
    known = project.simulations()
    new = []
    for name in names:
        if name in known:
            continue
        if not project.folder(name).exists():
            _in_a_store(project, name, known)
        new.append(name)
    return new


def _unnamed(project: Project) -> NoReturn:
    """Refuse a call that names no simulation, saying which there are."""
    every = f"; all that are not current: {command('run', '--stale')}"
    known = project.simulations()
    raise OptionError(
        f"expected the name of a simulation, got none{_some(known, 'one')}{every * bool(known)}"
    )


def _in_a_store(project: Project, name: str, known: list[str]) -> None:
    """Refuse a name that no store holds either, saying which were looked at."""
    stores = project.stores(name)
    if not any(stores.values()):
        places = " or in ".join((str(project.home), *stores))
        raise OptionError(f"there is no simulation {name!r} under {places}{_meant(name, known)}")


def _meant(name: str, known: list[str]) -> str:
    """The simulation that somebody may have meant; else some that there are, and what makes one."""
    return did_you_mean(name, known) or _some(known, "it", name)


def _some(known: list[str], one: str, name: str = "NAME") -> str:
    some = f"{', '.join(known[:_SOME])}{', ...' * (len(known) > _SOME)}"
    there = f"; there are {some}" if known else ""
    return f"{there}; this makes {one}: {command('add', 'FILE', '--name', name)}"


def _where_to_look(home: Path) -> None:
    say()
    say(f"all of it is under {steps.near(str(home))}")
    say("open it in the browser, exactly as it stands now:")
    say(f"  {command('ui')}")


def assignment(text: str) -> tuple[str, Any]:
    """``min_reward=1.0`` as a name and a value; lists are written with commas."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise OptionError(f"--set: expected KEY=VALUE, got {text!r}")
    return name.strip().replace("-", "_"), value.strip()
