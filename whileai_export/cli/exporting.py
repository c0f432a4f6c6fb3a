"""``export`` and ``preference``: the library on a file, with the careful defaults."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeAlias

import click

from whileai_export.cli import reports
from whileai_export.cli.bar import bar
from whileai_export.cli.choices import (
    Decorator,
    pair_choices,
    pair_options,
    prompt_in,
    sft_choices,
    sft_options,
    together,
    tools_in,
)
from whileai_export.cli.door import Door
from whileai_export.cli.naming import simulation_of, simulation_option
from whileai_export.cli.source import example, json_option, source_argument, surroundings
from whileai_export.cli.target import of_format, place
from whileai_export.cli.terminal import as_json, say
from whileai_export.pipeline.files import shown
from whileai_export.pipeline.given import Given
from whileai_export.pipeline.job import WARNING_GATES
from whileai_export.pipeline.outcome import Outcome, Target
from whileai_export.pipeline.places import load_of, quarantine_of
from whileai_export.pipeline.preference import write_pairs
from whileai_export.pipeline.sft import write_sft
from whileai_export.pipeline.store import is_url
from whileai_export.shared.counted import counted
from whileai_export.shared.options import Options
from whileai_export.shared.schema import WireFormat

Kind: TypeAlias = Literal["train", "preference"]


def _to(*names: str, text: str) -> Decorator:
    return click.option(*names, metavar="FILE", callback=place, help=text)


def _files(kind: Kind) -> Decorator:
    """What a file is written of, and where."""
    default = f"<stem>.{kind}.jsonl beside FILE"
    return together(
        source_argument,
        _to(
            "-o",
            "--output",
            text=f"The file or URL to write; several formats: its stem. [{default}]",
        ),
        surroundings,
        simulation_option,
        _to(
            "--quarantine",
            text="Where rows go that are set aside; private."
            " [<output>.quarantine.jsonl; of a URL that name in this folder]",
        ),
        click.option("--workers", type=click.IntRange(1), default=1, help="Processes to use. [1]"),
    )


@example("export runs.jsonl --system-prompt policy.md -o train.jsonl")
@click.command("export")
@_files("train")
@sft_choices
@json_option
@click.pass_context
def export(context: click.Context, /, source: str, **given: Any) -> None:
    """Write the training rows of FILE.

    For supervised fine-tuning. Careful by default: rows below the least reward, failed rollouts
    and exact duplicates are left out, unreadable rows are set aside, and a reply that quotes its
    grader refuses everything.
    """
    files = _Files(source, given, "train")
    _write(context, files, sft_options(given), write_sft)


@example("preference runs.jsonl --format trl -o pairs.jsonl")
@click.command("preference")
@_files("preference")
@pair_choices
@json_option
@click.pass_context
def preference(context: click.Context, /, source: str, **given: Any) -> None:
    """Write the preference pairs of FILE.

    A pair is a better and a worse rollout of one task. Careful by default: the better side
    passed, no side failed or was cut, and the two rewards are at least the least margin apart.
    """
    files = _Files(source, given, "preference")
    _write(context, files, pair_options(given), write_pairs)


class _Files:
    """The files of one call, taken out of what was given."""

    def __init__(self, source: str, given: dict[str, Any], kind: Kind) -> None:
        self.source = source
        self.simulation = simulation_of(source, given.pop("simulation"))
        self.output: Target = given.pop("output") or _beside(source, kind)
        self.aside: Target | None = given.pop("quarantine") or _at_hand(self.output)
        self.given: Given = {
            "simulation": self.simulation,
            "system_prompt": prompt_in(given.pop("system_prompt")),
            "tools": tools_in(given.pop("tools")),
            "workers": given.pop("workers"),
            "gates": WARNING_GATES,
        }

    def targets(self, formats: tuple[WireFormat, ...]) -> dict[WireFormat, Target]:
        """The file itself for one format, ``<stem>.<format>.jsonl`` beside it for several."""
        if len(formats) == 1:
            return {formats[0]: self.output}
        return {format: of_format(self.output, format) for format in formats}


def _beside(source: str, kind: Kind) -> Path:
    """``<stem>.train.jsonl`` beside the source, where that is a plain file."""
    path = Path(source)
    if path.is_dir() and not any(path.glob("trajectories.jsonl*")):
        # No simulation: the source itself is refused, whatever the place to write to.
        return Path("train.jsonl")
    if is_url(source) or path.is_dir():
        raise click.UsageError(f"{source} is no plain file: say with -o FILE where to write")
    stem = path.name
    for suffix in (".gz", ".zst", ".jsonl"):
        stem = stem.removesuffix(suffix)
    return path.with_name(f"{stem}.{kind}.jsonl")


def _at_hand(output: Target) -> Path | None:
    """Private rows go to a store only where somebody names it: they stay in this folder."""
    name = shown(output).rpartition("/")[2]
    return Path(f"{name}.quarantine.jsonl") if isinstance(output, str) else None


def _write(
    context: click.Context, files: _Files, options: Options, write: Callable[..., Outcome]
) -> None:
    """Stage the files, with a bar where that takes long, and publish them."""
    files.aside = quarantine_of(files.output, files.aside, options.policy)
    with bar(files.source, context.obj.as_json) as progress:
        told: Given = {**files.given, "quarantine": files.aside, "progress": progress}
        outcome = write(files.source, files.targets(options.formats), options=options, **told)
    _publish(context, outcome, files)


def _publish(context: click.Context, outcome: Outcome, files: _Files) -> None:
    """Put the files in place and say what is in them; a set without rows is not written."""
    door: Door = context.obj
    with outcome:
        nothing = outcome.refusal is None and outcome.empty
        if not nothing:
            outcome.publish()
    aside = 0 if nothing else outcome.report["counts"]["quarantined"]
    kept = shown(files.aside) if aside and files.aside is not None else None
    if door.as_json:
        named = files.simulation or None
        for output in outcome.report.get("outputs", ()):
            output["load"] = load_of(outcome.report, output)
        as_json({**outcome.report, "quarantine": kept, "simulation": named})
    else:
        for line in reports.lines(outcome.report, files.simulation):
            say(line)
        if aside:
            say(f"{counted(aside, 'row')} set aside: {kept}  (private)", "warn")
        if nothing:
            say("nothing is written: no row passed the selection above", "bad")
    context.exit(1 if nothing else 0)
