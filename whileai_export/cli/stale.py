"""``run --stale``: what a night would export, exported now."""

from __future__ import annotations

import click

from whileai_export.cli import status, steps
from whileai_export.cli.door import Door
from whileai_export.cli.running import run_one
from whileai_export.cli.terminal import as_json, say
from whileai_export.shared.errors import OptionError
from whileai_export.shared.project import Project, Standing, Step


def refuse_beside(names: tuple[str, ...], settings: tuple[str, ...]) -> None:
    """Refuse what would make another thing of a night than the schedule does."""
    if names:
        raise OptionError(f"--stale: expected no names beside it, got {', '.join(names)}")
    if settings:
        raise OptionError(f"--stale: expected no --set beside it, got {', '.join(settings)}")


def run_stale(context: click.Context, project: Project, workers: int | None) -> None:
    """Run every simulation that is due, new ones too; say what is left alone and why."""
    door: Door = context.obj
    known = set(project.simulations())
    ran: dict[str, list[Step]] = {}
    left: list[Standing] = []
    # Each is judged when its turn comes: somebody may have started a run of it meanwhile.
    for entry in project.standings():
        if not entry.due:
            left.append(entry)
            continue
        if entry.simulation not in known:
            project.register(entry.simulation)
        found = run_one(door, project, entry.simulation, {}, workers, (entry.dataset,))
        ran.setdefault(entry.simulation, []).extend(found)
    if door.as_json:
        plain = [
            {"simulation": e.simulation, "dataset": e.dataset, "state": e.state, "why": e.why}
            for e in left
        ]
        as_json({**steps.plain(project.home, ran), "left_alone": plain})
    else:
        _tell(ran, left)
    context.exit(steps.exit_code(ran))


def _tell(ran: dict[str, list[Step]], left: list[Standing]) -> None:
    if ran:
        say()
    say("left alone:" if left else "nothing is left alone" if ran else "there is no simulation")
    for line in status.told(left):
        say(line, "quiet")
    if left and not ran:
        say("nothing is due")
