"""``inspect``: everything about a file that can be known before anything is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

import click

from whileai_export.cli import dry, refusals, reports, wording
from whileai_export.cli.bar import bar
from whileai_export.cli.door import Door
from whileai_export.cli.source import example, json_option, read_with, source_argument, surroundings
from whileai_export.cli.terminal import as_json, columns, say
from whileai_export.cli.way_on import exporting, onwards
from whileai_export.pipeline.keys import keys_of
from whileai_export.shared.careful import CAREFUL_SFT
from whileai_export.shared.counted import counted
from whileai_export.shared.errors import ExportError, GateError, SourceError, Ungraded
from whileai_export.shared.options import Selection
from whileai_export.shared.schema import JsonObject

#: Keys that are named of those that nothing reads.
_SOME = 12


@example("inspect runs.jsonl --system-prompt policy.md")
@click.command("inspect")
@source_argument
@surroundings
@json_option
@click.pass_obj
def inspect(door: Door, /, source: str, **given: Any) -> None:
    """Say what is in FILE.

    And what an export would make of it: what it would leave out, refuse and pair. Writes nothing.
    """
    around = read_with(given)
    found = looked_at(source, around, door.as_json)
    if not around.adapter:  # of rows that it turns into others only it knows what it reads
        keys = keys_of(source)
        found |= {"unread_keys": keys.unread, "without_index": keys.lacking("rollout_index")}
    if door.as_json:
        as_json(found)
        return
    for line in columns(row for row in told(found) if row[1]):
        say(line)
    for line in verdict(found, door):
        say(line)


def looked_at(source: str, around: dry.Around, quiet: bool) -> JsonObject:
    """All rows once without a selection, once with it, and once as pairs."""
    careful = replace(CAREFUL_SFT, formats=("openai",), policy=dry.PATIENT)
    everything = replace(careful, selection=Selection())
    with bar(source, quiet) as progress:
        rows, refusal = dry.sft(source, around, everything, progress)
    if isinstance(refusal, SourceError):
        raise refusal
    refusal = refusal or dry.leaks(rows)
    with bar(f"{source}: selection", quiet) as progress:
        chosen, none_chosen = dry.sft(source, around, careful, progress)
    with bar(f"{source}: pairs", quiet) as progress:
        pairs, _ = dry.pairs(source, around, progress)
    found = {"rows": rows, "training": chosen, "pairs": pairs}
    return found | {"refusal": _plain(refusal or none_chosen or dry.too_many(rows))}


def told(found: JsonObject) -> Iterator[tuple[str, str]]:
    """What there is, a fact a line."""
    rows, pairs, source = found["rows"], found["pairs"], found["rows"]["source"]
    read = rows["counts"]["read"]
    shapes = reports.tally(source["shapes"])
    yield "rows", f"{read:,}" + f" ({shapes})" * bool(shapes)
    if not shapes:
        yield "not read", _unread(found.get("unread_keys", {}))
        return
    yield "tasks", _tasks(rows, read)
    yield "kept out", _kept_out(rows)
    yield "rewards", _rewards(rows["rewards"])
    yield "not read", _unread(found.get("unread_keys", {}))
    yield "rollouts", _unnumbered(found.get("without_index", 0), rows, read)
    yield "passing", _passing(found["training"])
    yield "system prompt", reports.found_in(source["system_prompt_from"], "--system-prompt FILE")
    yield "tools", reports.found_in(source["tools_from"], "--tools FILE")
    yield "pairs", f"{counted(pairs.get('pairs', 0), 'pair')} can be made"
    yield "tasks without", reports.tally(pairs.get("without_pair", {}))
    yield from reports.gates(rows)
    yield "repaired", reports.tally(rows.get("repairs", {}))
    yield "length", reports.lengths(rows)


def _tasks(rows: JsonObject, read: int) -> str:
    tasks = rows.get("tasks", 0)
    each = f"{read / tasks:.3g}" if tasks else ""
    return f"{tasks:,}, {each} rollout{'s' * (each != '1')} each on average" if tasks else ""


def _unread(keys: Mapping[str, int]) -> str:
    """Some keys by name; a grade or a private block among them has another name here."""
    more = len(keys) - _SOME
    return ", ".join([*islice(keys, _SOME), *([f"and {more} more"] if more > 0 else [])])


def _unnumbered(lacking: int, rows: JsonObject, read: int) -> str:
    """Of tasks that were played several times: what an id hangs on where no rollout is recorded."""
    if not lacking or rows.get("tasks", 0) >= read:
        return ""
    return "numbered by their order, without rollout_index: another order gives other row ids"


def _kept_out(rows: JsonObject) -> str:
    """The rows that no export writes; what follows is counted without them."""
    aside = rows["counts"]["quarantined"]
    gates = ("readable", "tool_call_roundtrip", "privileged_leak")
    found = {gate: rows["findings"][gate]["count"] for gate in gates}
    return f"{counted(aside, 'row')} by the gates ({reports.tally(found)})" if aside else ""


def _rewards(rewards: JsonObject) -> str:
    kinds = reports.tally(rewards.get("ungraded_by_kind", {}))
    return (
        f"{rewards['n_pass']:,} pass, {rewards['n_fail']:,} fail,"
        f" {rewards['n_ungraded']:,} ungraded" + f" ({kinds})" * bool(kinds)
    )


def _passing(training: JsonObject) -> str:
    unique, doubled = training["n"], training["duplicates"]
    return f"{counted(unique + doubled, 'row')}, {unique:,} of them unique"


def verdict(found: JsonObject, door: Door) -> Iterator[str]:
    """What an export would end in, and what to type."""
    refusal = found["refusal"]
    if refusal is None and not found["training"]["n"]:
        left = reports.left_out(found["training"])
        yield f"an export would write nothing: no row is left of the selection ({left})"
        return
    if refusal is None:
        yield "an export would be written:"
        yield f"  {exporting(door, found['rows'])}"
        return
    yield f"an export would be refused: {refusal['code']}"
    said = refusals.lines(refusal["code"], found["rows"], refusal["problem"])
    yield from map(wording.typed, said)
    yield from onwards(door, refusal["code"], found["rows"])


def _plain(refusal: ExportError | None) -> dict[str, Any] | None:
    if refusal is None:
        return None
    code = refusal.code if isinstance(refusal, GateError | Ungraded) else "source"
    return {"code": code, "problem": str(refusal)}
