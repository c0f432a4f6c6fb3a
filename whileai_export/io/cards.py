"""The ``README.md`` beside published files, which tells loaders their features."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple


class DataFile(NamedTuple):
    """A file, or a pattern of files, of one split; relative to the card."""

    split: str
    path: str


class Declared(NamedTuple):
    """What a folder's card declares; a folder without one is one config of all its files."""

    files: dict[str, dict[str, list[Path]]]
    """By config and split, in the order in which they are loaded."""
    features: dict[str, dict[str, str]]
    """By config and column; empty where nothing is declared."""


def dataset_card(
    configs: Mapping[str, Sequence[DataFile]],
    features: Mapping[str, Mapping[str, str]],
    body: str,
) -> str:
    """The text of the card.

    ``features`` says the type of every column of a config: ``string``, ``float64``, ``int64``,
    ``bool``, ``json``, or a list of one of them as ``list[json]``. Without declared features a
    loader guesses from the first rows, and guesses dates and numbers into texts.
    """
    header = "\n".join(["---", *_configs(configs), *_infos(features), "---"])
    return f"{header}\n\n{body.strip()}\n"


def _configs(configs: Mapping[str, Sequence[DataFile]]) -> Iterator[str]:
    yield "configs:"
    for name, files in configs.items():
        yield f"- config_name: {_quoted(name)}"
        yield "  data_files:"
        for split, paths in _by_split(files).items():
            yield f"  - split: {_quoted(split)}"
            yield f"    path: {json.dumps(paths, ensure_ascii=False)}"


def _by_split(files: Sequence[DataFile]) -> dict[str, list[str]]:
    splits: dict[str, list[str]] = {}
    for split, path in files:
        splits.setdefault(split, []).append(path)
    return splits


def _infos(features: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    yield "dataset_info:"
    for name, columns in features.items():
        yield f"- config_name: {_quoted(name)}"
        yield "  features:"
        for column, type_ in columns.items():
            yield f"  - {{name: {_quoted(column)}, {_typed(type_)}}}"


def _typed(type_: str) -> str:
    if type_.startswith("list[") and type_.endswith("]"):
        return f"list: {type_[5:-1]}"
    return f"dtype: {type_}"


def _quoted(text: str) -> str:
    """Text that YAML reads as text, whatever it looks like."""
    return json.dumps(text, ensure_ascii=False)


def declared(folder: Path) -> Declared:
    """Reads a card back that ``dataset_card`` wrote."""
    card = folder / "README.md"
    found = Declared({}, {})
    if not card.exists():
        return Declared({"default": {"train": sorted(folder.glob("*.jsonl*"))}}, {})
    config = split = ""
    for line in card.read_text("utf-8").split("\n---", 1)[0].splitlines():
        name, value = (line.lstrip("- ").partition(": "))[::2]
        if name == "config_name":
            config = json.loads(value)
        elif name == "split":
            split = json.loads(value)
        elif name == "path":
            files = [file for pattern in json.loads(value) for file in sorted(folder.glob(pattern))]
            found.files.setdefault(config, {})[split] = files
        elif column := _COLUMN.fullmatch(line.strip()):
            told = f"list[{column['type']}]" if column["many"] == "list" else column["type"]
            found.features.setdefault(config, {})[json.loads(column["name"])] = told
    return found


_COLUMN = re.compile(r'- \{name: (?P<name>".*"), (?P<many>list|dtype): (?P<type>\w+)\}')
