"""The ``README.md`` of a folder of published files: what loaders must know, and what people ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from whileai_export.io.cards import DataFile, dataset_card

_LISTS = dict.fromkeys(
    ("messages", "tools", "completion", "chosen", "rejected", "preferred_output",
     "non_preferred_output"),
    "list[json]",
)  # fmt: skip
_OWN = {**_LISTS, "loss_mask": "list[int64]", "input": "json", "label": "bool"}


def folder_card(title: str, report: Mapping[str, Any]) -> bytes:
    """The card of the files that a report names, one config a format."""
    outputs: Sequence[Mapping[str, Any]] = report["outputs"]
    configs = {o["format"]: [DataFile("train", Path(o["path"]).name)] for o in outputs}
    features = {o["format"]: column_types(o["columns"], o["format"]) for o in outputs}
    return dataset_card(configs, features, _body(title, report, outputs)).encode()


def column_types(columns: Mapping[str, Sequence[str]], format: str) -> dict[str, str]:
    """The declared type of every column, from the kinds of value that were written under it."""
    return {name: _type(name, format, kinds) for name, kinds in columns.items()}


def _type(name: str, format: str, kinds: Sequence[str]) -> str:
    if name == "prompt" and kinds == ["json"]:
        return "string" if format == "openai" else "list[json]"
    if name in _OWN:
        return _OWN[name]
    if set(kinds) == {"int64", "float64"}:
        return "float64"
    return kinds[0] if len(kinds) == 1 else "json"


def _body(title: str, report: Mapping[str, Any], outputs: Sequence[Mapping[str, Any]]) -> str:
    first = outputs[0]["format"]
    counts = report["counts"]
    written = f"{report['pairs']} pairs" if "pairs" in report else f"{counts['written']} rows"
    rows = [
        f"| {Path(o['path']).name} | {o['format']} | {o['rows']} | {o['sha256'][:12]} |"
        for o in outputs
    ]
    table = ["| file | format | rows | sha256 |", "| --- | --- | --- | --- |", *rows]
    snippet = [
        "```python",
        "from datasets import load_dataset",
        "",
        f'rows = load_dataset("<this folder>", "{first}", split="train")',
        "```",
    ]
    parts = [
        f"# {title}",
        f"{written} of {counts['read']} rows read, options {report['options_digest']}."
        " `report.json` beside this file has every count.",
        "\n".join(table),
        "\n".join(snippet),
    ]
    return "\n\n".join(parts)
