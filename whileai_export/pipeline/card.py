"""The ``README.md`` of a folder of published files: what loaders must know, and what people ask."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from whileai_export.io.cards import DataFile, dataset_card
from whileai_export.pipeline.load import column_types, folder_snippet, max_length, settings
from whileai_export.shared.counted import counted
from whileai_export.shared.meanings import meaning

_NOT_FOR_TRL = "not for TRL"


def folder_card(title: str, report: Mapping[str, Any]) -> bytes:
    """The card of the files that a report names, one config a format."""
    outputs: Sequence[Mapping[str, Any]] = report["outputs"]
    configs = {o["format"]: [DataFile("train", Path(o["path"]).name)] for o in outputs}
    features = {o["format"]: column_types(o["columns"], o["format"]) for o in outputs}
    return dataset_card(configs, features, "\n\n".join(_parts(title, report, outputs))).encode()


def _parts(
    title: str, report: Mapping[str, Any], outputs: Sequence[Mapping[str, Any]]
) -> Iterator[str]:
    counts = report["counts"]
    pairs = "pairs" in report
    written = counted(report["pairs"], "pair") if pairs else counted(counts["written"], "row")
    yield f"# {title}"
    yield (
        f"{written} of {counted(counts['read'], 'row')} read, options {report['options_digest']}."
        " `report.json` beside this file has every count."
    )
    yield "\n".join(_files(report, outputs))
    yield "\n".join(_columns(outputs))
    left_out = [f"{reason} {n}" for reason, n in sorted(counts.get("filtered", {}).items())]
    if counts.get("quarantined"):
        left_out.append(f"quarantined {counts['quarantined']}")
    if left_out:
        yield f"Left out: {', '.join(left_out)}."
    yield from _lengths(report.get("lengths"))
    yield f"```python\n{_snippet(report, outputs)}\n```"
    yield (
        "Run it in this folder. The header above declares the features; a loader that guesses "
        "them turns dates and numbers in texts into something else."
    )
    if report.get("warnings"):
        yield "\n".join(["## Warnings", "", *(f"- {told}" for told in report["warnings"])])


def _files(report: Mapping[str, Any], outputs: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield "| file | format | rows | sha256 | trainer settings |"
    yield "| --- | --- | --- | --- | --- |"
    for output in outputs:
        name, config = Path(output["path"]).name, _config(report, output)
        told = f"`{config}`" if config else _NOT_FOR_TRL
        yield (
            f"| {name} | {output['format']} | {output['rows']} | {output['sha256'][:12]} | {told} |"
        )


def _columns(outputs: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What every column of any of the files says; two formats may mean two things by one name."""
    yield "| column | what it says |"
    yield "| --- | --- |"
    said: dict[str, dict[str, None]] = {}
    for output in outputs:
        for name, kinds in output["columns"].items():
            told = meaning(name, kinds[0]) or "as the simulation wrote it"
            said.setdefault(name, {})[told] = None
    for name, meanings in said.items():
        yield f"| `{name}` | {', or '.join(meanings)} |"


def _lengths(lengths: Mapping[str, Any] | None) -> Iterator[str]:
    known = {unit: found for unit, found in (lengths or {}).items() if isinstance(found, Mapping)}
    if not known:
        return
    yield "\n".join(
        [
            "| a row in | p50 | p90 | p99 | max |",
            "| --- | --- | --- | --- | --- |",
            *(
                f"| {unit} | {f['p50']} | {f['p90']} | {f['p99']} | {f['max']} |"
                for unit, f in known.items()
            ),
        ]
    )


def _snippet(report: Mapping[str, Any], outputs: Sequence[Mapping[str, Any]]) -> str:
    """Of the first format that TRL reads, else of the first."""
    shown = next((o for o in outputs if _config(report, o)), outputs[0])
    return folder_snippet(shown["format"], _config(report, shown))


def _config(report: Mapping[str, Any], output: Mapping[str, Any]) -> str | None:
    length = max_length(output, report.get("lengths"))
    return settings(output["format"], pairs="pairs" in report, length=length)
