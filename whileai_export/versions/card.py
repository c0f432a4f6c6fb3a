"""``README.md``, which tells loaders the features, and ``card.md``, which tells people the news."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from whileai_export.io.cards import DataFile, dataset_card
from whileai_export.pipeline.load import column_types, folder_snippet, max_length, settings
from whileai_export.shared.counted import counted
from whileai_export.shared.schema import JsonObject
from whileai_export.versions.manifest import Manifest
from whileai_export.versions.news import named_rows, summary
from whileai_export.versions.parts import KINDS


def config_of(kind: str, format: str) -> str:
    """What ``load_dataset`` is asked for."""
    return f"{kind}_{format}"


def readme_bytes(manifest: Manifest, reports: Iterable[JsonObject]) -> bytes:
    """The card of the whole version: every format of every simulation, merged."""
    configs: dict[str, list[DataFile]] = {}
    for file in manifest["files"]:
        folder = f"{file['kind']}/{file['format']}/{file['split']}"
        entry = DataFile(file["split"], f"{folder}/*.jsonl")
        files = configs.setdefault(config_of(file["kind"], file["format"]), [])
        if entry not in files:
            files.append(entry)
    for files in configs.values():
        files.sort(key=lambda file: file.split != "train")
    features = {
        config: column_types(columns, format)
        for config, (format, columns) in _columns(reports).items()
    }
    body = _how_to_load(manifest, _settings(reports))
    return dataset_card(configs, features, body).encode()


def _columns(reports: Iterable[JsonObject]) -> dict[str, tuple[str, dict[str, Sequence[str]]]]:
    """The kinds of value under every column, over all simulations."""
    found: dict[str, tuple[str, dict[str, Sequence[str]]]] = {}
    for report in reports:
        kind = "preference" if "pairs" in report else "sft"
        for output in report["outputs"]:
            config = config_of(kind, output["format"])
            _, columns = found.setdefault(config, (output["format"], {}))
            for name, kinds in output["columns"].items():
                columns[name] = sorted({*columns.get(name, ()), *kinds})
    return found


def _settings(reports: Iterable[JsonObject]) -> dict[str, str | None]:
    """The trainer's settings for each config, with room for the longest row of all."""
    lengths: dict[tuple[str, str], int] = {}
    for report in reports:
        kind = "preference" if "pairs" in report else "sft"
        for output in report["outputs"]:
            known = lengths.get((kind, output["format"]), 0)
            longest = max_length(output, report.get("lengths"))
            lengths[kind, output["format"]] = max(known, longest)
    return {
        config_of(kind, format): settings(format, pairs=kind == "preference", length=length)
        for (kind, format), length in lengths.items()
    }


def _how_to_load(manifest: Manifest, configs: dict[str, str | None]) -> str:
    shown = next((name for name, told in configs.items() if told), next(iter(configs)))
    return "\n".join(
        [
            f"# {_title(manifest)}",
            "",
            *_counts(manifest),
            "",
            "```python",
            folder_snippet(shown, configs[shown]),
            "```",
            "",
            "| config | trainer settings |",
            "| --- | --- |",
            *(
                f"| {name} | {f'`{told}`' if told else 'not for TRL'} |"
                for name, told in configs.items()
            ),
            "",
            "Run it in this folder. What changed: `card.md`; everything: `manifest.json`.",
        ]
    )


def card_bytes(manifest: Manifest) -> bytes:
    """The changelog entry of a version."""
    return ("\n".join(_card(manifest)) + "\n").encode()


def _card(manifest: Manifest) -> Iterator[str]:
    yield f"# {_title(manifest)}"
    yield ""
    yield f"Cut {manifest['cut_at']} from {counted(len(manifest['inputs']), 'simulation')}."
    yield ""
    yield from _counts(manifest)
    yield from _changes(manifest)
    if manifest["left_out"]:
        yield from ("", "## Left out", "")
        for entry in manifest["left_out"]:
            yield f"- {entry['simulation']} ({entry['kind']}): {entry['reason']}"
    yield from _newer(manifest["newer_input"])
    yield from ("", "## Made of", "", "| simulation | sha256 | runs |", "| --- | --- | --- |")
    for entry in manifest["inputs"]:
        runs = {str(step.get("run_id", "?"))[:8]: None for step in entry["steps"].values()}
        yield f"| {entry['simulation']} | {str(entry.get('sha256'))[:12]} | {', '.join(runs)} |"


def _newer(names: Sequence[str]) -> Iterator[str]:
    if names:
        yield from ("", "## Newer input", "")
        yield from (f"- {name}: what lies there now was not exported yet" for name in names)


def _counts(manifest: Manifest) -> Iterator[str]:
    for kind in KINDS:
        if kind in manifest["counts"]:
            yield f"- {kind}: {_rows_and_tasks(manifest['counts'][kind])}"


def _changes(manifest: Manifest) -> Iterator[str]:
    found = manifest["diff"]
    if found is None:
        yield from ("", "The first version.")
        return
    yield from ("", f"## Since {found['from']}", "")
    yield from (f"- {line}" for line in summary(found))
    for sort in named_rows(found):
        yield from ("", f"{sort.title}", "")
        yield from (f"- {', '.join(row)}" for row in sort.rows)
        if sort.more:
            yield f"- and {sort.more} more: `whileai-export diff {_names(manifest)} --all`"


def _names(manifest: Manifest) -> str:
    """This version and the one before, as they are typed."""
    names = (manifest["diff"]["from"], manifest["version"])
    return " ".join("/".join(filter(None, [manifest["dataset"], name])) for name in names)


def _title(manifest: Manifest) -> str:
    return " ".join(filter(None, [manifest["dataset"], manifest["version"]]))


def _rows_and_tasks(counts: JsonObject) -> str:
    lines = "; ".join(
        f"{format} {', '.join(f'{split} {n}' for split, n in splits.items())}"
        for format, splits in counts["lines"].items()
    )
    return f"{counted(counts['rows'], 'row')} of {counted(counts['tasks'], 'task')} ({lines})"
