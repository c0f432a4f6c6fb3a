"""Exports from a source to the files that they write."""

from __future__ import annotations

from pathlib import Path

from whileai_export.pipeline.preference import write_pairs
from whileai_export.pipeline.sft import stage_training_rows, write_sft
from whileai_export.shared.options import PairOptions, SftOptions
from whileai_export_tests.builders import jsonl, rows_of


def staged(folder: Path, rows: list, **options: object) -> Path:
    """The private canonical rows of a simulation that holds these."""
    source = jsonl(folder / "night.jsonl", rows)
    target = folder / "rows.jsonl"
    with stage_training_rows(source, target, simulation="night", **options) as outcome:
        outcome.publish()
    return target


def sft_rows(source: object, target: Path, options: SftOptions, **more: object) -> list[dict]:
    """The training rows of a source, in the first of the formats."""
    with write_sft(source, {options.formats[0]: target}, options=options, **more) as outcome:
        outcome.publish()
    return rows_of(target)


def pair_files(
    source: object, folder: Path, options: PairOptions, **more: object
) -> dict[str, bytes]:
    """The bytes of every format that has a line."""
    targets = {name: folder / f"p.{name}.jsonl" for name in options.formats}
    with write_pairs(source, targets, options=options, **more) as outcome:
        outcome.publish()
    return {name: path.read_bytes() for name, path in targets.items() if path.exists()}
