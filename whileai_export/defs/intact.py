"""A check that people can execute by itself: are the published files still what passed?"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import dagster as dg

from whileai_export.defs.checks import partitioned_checks
from whileai_export.defs.dataset import Dataset
from whileai_export.defs.held_out import held_out
from whileai_export.defs.metadata import bounded
from whileai_export.defs.resources import Datasets, Folders
from whileai_export.pipeline.audit import audit
from whileai_export.pipeline.private_rows import PrivateRows
from whileai_export.pipeline.records import file_sha256, read_record
from whileai_export.shared.counted import counted
from whileai_export.shared.errors import BadRow, ExportError
from whileai_export.shared.options import FORMATS
from whileai_export.shared.schema import WireFormat

#: Of one file: what is wrong, and what is only warned of.
Seen: TypeAlias = tuple[list[str], list[str]]


class Against(NamedTuple):
    """What published rows must not quote, and which tasks and asks they must not have."""

    private: PrivateRows
    holdout: frozenset[bytes] = frozenset()
    unread: tuple[str, ...] = ()
    """Why the evaluation files could not be read."""


def published_file_intact(dataset: Dataset, kind: str) -> dg.AssetChecksDefinition:
    """The check of one published asset: ``sft_jsonl`` or ``preference_jsonl``."""
    with partitioned_checks():

        @dg.asset_check(
            asset=dataset.key(f"{kind}_jsonl"),
            name="published_file_intact",
            partitions_def=dataset.partitions,
        )
        def published_file_intact(
            context: dg.AssetCheckExecutionContext, datasets: Datasets
        ) -> dg.AssetCheckResult:
            """The bytes on disk are those the report names, and pass the gates again.

            The evaluation files are those that export.toml names now. Rows of `fireworks` hold no
            task: they are compared with them by their ask alone.
            """
            try:
                return inspected(dataset, datasets.of(dataset.name), kind, context.partition_key)
            except ExportError as error:
                return dg.AssetCheckResult(passed=False, description=str(error))

    return published_file_intact


def inspected(dataset: Dataset, folders: Folders, kind: str, name: str) -> dg.AssetCheckResult:
    """Every published file of a simulation: present, with its digest, past the gates."""
    report = read_record(folders.published(kind, name) / "report.json")
    if report is None:
        return dg.AssetCheckResult(
            passed=False,
            severity=dg.AssetCheckSeverity.WARN,
            description=f"nothing is published for {name}",
        )
    against = _against(dataset, folders, name)
    files = folders.published_files(kind, name)
    outputs = report.get("outputs")
    if not isinstance(outputs, list) or not all(map(_is_output, outputs)):
        return dg.AssetCheckResult(passed=False, description="report.json names no outputs")
    found = {
        output["format"]: problems(files[output["format"]], output, against) for output in outputs
    }
    told = unnamed(folders.published(kind, name), kind, outputs)
    if report.get("simulation") != name:
        told.append(f"report.json is of the simulation {report.get('simulation')}")
    found["folder"] = (told, [])
    wrong, doubtful = (_told(found, part) for part in (0, 1))
    wrong = [*against.unread, *wrong]
    fine = [f"{counted(len(outputs), 'file')} as recorded"]
    return dg.AssetCheckResult(
        passed=not wrong + doubtful,
        severity=dg.AssetCheckSeverity.ERROR if wrong else dg.AssetCheckSeverity.WARN,
        description="; ".join((wrong or fine + doubtful)[:3]),
        metadata={
            "problems": dg.MetadataValue.json(bounded(wrong + doubtful)),
            "files": len(outputs),
        },
    )


def _is_output(entry: object) -> bool:
    return isinstance(entry, dict) and entry.get("format") in FORMATS and "sha256" in entry


def _against(dataset: Dataset, folders: Folders, name: str) -> Against:
    staged = folders.training_rows(name)
    private = PrivateRows(staged if staged.is_file() else None)
    try:
        return Against(private, held_out(dataset, folders))
    except ExportError as error:
        return Against(private, unread=(str(error),))


def unnamed(folder: Path, kind: str, outputs: list[Mapping[str, Any]]) -> list[str]:
    """What stands in a published folder without the report, or is missing beside its files."""
    named = {f"{kind}.{output['format']}.jsonl" for output in outputs}
    found = sorted({path.name for path in folder.glob("*.jsonl")} - named)
    told = [f"{name} is not named by report.json" for name in found]
    if outputs and not (folder / "README.md").is_file():
        told.append("README.md with the features is gone")
    return told


def _told(found: Mapping[str, Seen], part: int) -> list[str]:
    return [f"{format}: {problem}" for format, seen in found.items() for problem in seen[part]]


def problems(path: Path, output: Mapping[str, Any], against: Against) -> Seen:
    """What is wrong with one published file, and what is doubtful."""
    if not path.is_file():
        return ["the file is gone"], []
    now = file_sha256(path)
    changed = (
        [f"sha256 is {now[:12]}, the report says {output['sha256'][:12]}"]
        if now != output["sha256"]
        else []
    )
    wrong, doubtful = gate_problems(path, output["format"], against)
    return changed + wrong, doubtful


def gate_problems(path: Path, format: WireFormat, against: Against) -> Seen:
    """The gates that find something in the bytes on disk; ``structure`` only warns."""
    try:
        seen = audit(path, format, private=against.private, holdout=against.holdout)
    except (ValueError, BadRow):
        # The parser's words may quote the file.
        return ["a line is no row"], []
    invalid, leaked = seen["tool_call_roundtrip"]["invalid"], seen["privileged_leaks"]["n_leaked"]
    calls = counted(invalid, "call does", "calls do")
    found = [f"tool_call_roundtrip: {calls} not come back"] if invalid else []
    found += [f"privileged_leak: {seen['privileged_leaks']['summary']}"] if leaked else []
    found += [seen["holdout"]["summary"]] if seen["holdout"]["count"] else []
    return found, [seen["structure"]["summary"]] if seen["structure"]["count"] else []
