"""What a run of the asset graph did, step by step, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from whileai_export.cli import refusals, reports, wording
from whileai_export.cli.door import command
from whileai_export.cli.terminal import columns, say
from whileai_export.shared.counted import counted
from whileai_export.shared.project import Step
from whileai_export.shared.remedies import by_hand, remedy, sets
from whileai_export.shared.schema import JsonObject

_STYLES = {"written": "good", "refused": "bad", "crashed": "bad", "not run": "quiet"}
_WAS = {"refused": "was refused", "crashed": "crashed"}
Ran = Mapping[str, list[Step]]


def show(name: str, steps: list[Step], given: Mapping[str, Any], again: str | None = None) -> None:
    """A line a step, then where the files are, then what was refused and how to go on.

    ``again``: the call that adds the simulation again with all that it has; see ``wording``.
    """
    say()
    say(name)
    table = columns((step.asset, step.state, told(step)) for step in steps)
    for step, line in zip(steps, table, strict=True):
        say(line.rstrip(), _STYLES[step.state])
    for step in steps:
        _files(step)
    for step in steps:
        if step.state in ("refused", "crashed"):
            _why(name, step, given)
    for warning in warnings(steps, again):
        say(f"  warning  {warning}", "warn")
    for step in steps:
        for line in _doubtful(step):
            say(line, "warn")


def _files(step: Step) -> None:
    for file in step.files:
        say(f"  {near(file)}{'  (private)' * (step.asset.endswith('training_rows'))}")
    if step.quarantine:
        aside = counted(step.report["counts"]["quarantined"], "row")
        say(f"  {near(step.quarantine)}  (private: {aside} set aside)", "warn")


def _doubtful(step: Step) -> Iterator[str]:
    """What the gates saw that only warn, by row, line and place: once, where all rows are read."""
    if step.state != "written" or not step.asset.endswith("training_rows"):
        return
    for gate, seen in step.report.get("findings", {}).items():
        if gate in reports.WARNING and seen.get("count"):
            yield f"  warning  {step.asset}: {seen['summary']}"
            yield from (f"         {line}" for line in reports.warned(seen))


def warnings(steps: list[Step], again: str | None = None) -> list[str]:
    """What should be known before training on the files, each said once."""
    told = [
        f"{step.asset}: {wording.to_set(warning, again)}"
        for step in steps
        if step.state == "written" and not step.asset.endswith("training_rows")
        for warning in step.report.get("warnings", ())
    ]
    return list(dict.fromkeys([*map(_withdrawn, filter(_is_empty, steps)), *told]))


def _is_empty(step: Step) -> bool:
    """A step that publishes, and had nothing to publish."""
    return step.state == "written" and step.report.get("outputs") == []


def _withdrawn(step: Step) -> str:
    return f"{step.asset}: nothing to publish; what a run before this one published is withdrawn"


def told(step: Step) -> str:
    """One step in half a line."""
    if step.state != "written":
        return step.problem.split(". ")[0]
    report = step.report
    if "counts" not in report:
        return f"{counted(report['rows'], 'row')}, {counted(report['tasks'], 'task')}"
    counts = report["counts"]
    if "pairs" in report:
        reasons = reports.tally(report.get("without_pair", {}))
        return f"{counted(report['pairs'], 'pair')}" + (
            f"; tasks without: {reasons}" * bool(reasons)
        )
    out = reports.left_out(report)
    return f"{counts['read']:,} read, {counts['written']:,} written" + (
        f"; left out: {out}" if out else ""
    )


def near(file: str) -> str:
    """The path from here, where it lies below."""
    path, here = Path(file), Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else file


def _why(name: str, step: Step, given: Mapping[str, Any]) -> None:
    say()
    say(f"  why {step.asset} {_WAS[step.state]}", "bad")
    if not step.report:
        say(f"  {step.problem}")
        return
    for line in refusals.lines(step.code, step.report, step.problem):
        say(f"  {wording.to_set(line)}")
    mends = remedy(step.code, step.report)
    if mends:
        say(f"  next: {mends[0]}:")
        say(f"    {command('run', name, *sets({**given, **mends[1]}))}")
        stays = "what it wrote stays until the simulation or export.toml changes"
        say(f"  --set is for that run alone; {stays}")
    else:
        say(f"  next: {by_hand(step.code, step.report)}, then run it again")


def plain(home: Path, ran: Ran) -> JsonObject:
    """Everything as one JSON-safe object."""
    return {
        "home": str(home),
        "simulations": {
            name: [
                {
                    "asset": step.asset,
                    "state": step.state,
                    "code": step.code,
                    "problem": step.problem,
                    "files": list(step.files),
                    "quarantine": step.quarantine or None,
                    "report": step.report,
                }
                for step in steps
            ]
            for name, steps in ran.items()
        },
    }


def exit_code(ran: Ran) -> int:
    """0 all written, 1 a gate refused, 2 something else went wrong."""
    found = [step for steps in ran.values() for step in steps]
    if any(
        step.state == "crashed" or (step.state == "refused" and not step.code) for step in found
    ):
        return 2
    return 1 if any(step.state == "refused" for step in found) else 0
