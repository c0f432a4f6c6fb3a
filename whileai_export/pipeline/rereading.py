"""Loads a folder as a trainer does and compares it with its files, value by value.

Runs in a process of its own (``python -m whileai_export.pipeline.rereading FOLDER``): the loader
is large, keeps caches and prints. What it says on its last line is JSON.
"""

from __future__ import annotations

import json
import math
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import orjson

from whileai_export.io.cards import declared
from whileai_export.io.lines import lines
from whileai_export.shared.counted import counted
from whileai_export.shared.findings import NAMED

_OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_DATASETS_DISABLE_PROGRESS_BARS": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
}
#: Loaders keep ten decimals; what differs less than this is the same number.
_CLOSE = 1e-9


def differences(ours: Any, theirs: Any, at: str = "$") -> Iterator[tuple[str, str]]:
    """(place, problem) of every difference; the problem names kinds, never values."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in sorted(ours.keys() | theirs.keys()):
            if key not in theirs:
                yield f"{at}.{key}", "expected the key back, it is lost"
            elif key not in ours:
                yield f"{at}.{key}", "expected no such key, one came back"
            else:
                yield from differences(ours[key], theirs[key], f"{at}.{key}")
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for place, pair in enumerate(zip(ours, theirs, strict=True)):
            yield from differences(*pair, f"{at}[{place}]")
    elif not _same(ours, theirs):
        kinds = type(ours).__name__, type(theirs).__name__
        yield at, f"expected {kinds[0]} back, got {'another' if len({*kinds}) == 1 else kinds[1]}"


def _same(ours: object, theirs: object) -> bool:
    numbers = all(isinstance(v, int | float) and not isinstance(v, bool) for v in (ours, theirs))
    if numbers and float in (type(ours), type(theirs)):
        return math.isclose(ours, theirs, rel_tol=_CLOSE)  # type: ignore[arg-type]
    return type(ours) is type(theirs) and ours == theirs


def reread(folder: Path) -> dict[str, Any]:
    """Every config of a folder, loaded and compared."""
    os.environ.update(_OFFLINE)
    found: dict[str, Any] = {"rows": 0, "count": 0, "named": []}
    for config, splits in declared(folder).files.items():
        for split, files in splits.items():
            _take(found, config, _compared(folder, config, split, files))
    return found


def _take(
    found: dict[str, Any], config: str, compared: Iterable[tuple[int, list[tuple[str, str]]]]
) -> None:
    for row, told in compared:
        found["rows"] += row >= 0
        found["count"] += bool(told)
        room = NAMED - len(found["named"])
        found["named"] += [(row, f"{config} {at}", problem) for at, problem in told[:room]]


def _compared(
    folder: Path, config: str, split: str, files: list[Path]
) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """(row, differences) of every row; row -1: the config does not load, or loads another count."""
    datasets = import_module("datasets")
    with tempfile.TemporaryDirectory() as cache:
        try:
            loaded = datasets.load_dataset(str(folder), config, split=split, cache_dir=cache)
        except Exception as error:
            yield -1, [("$", f"expected a dataset, got {causes(error)}")]
            return
        count = 0
        for row, (ours, theirs) in enumerate(zip(_rows(files), loaded, strict=False)):
            count = row + 1
            columns = {name: ours.get(name) for name in ours.keys() | theirs.keys()}
            yield row, list(differences(columns, {**dict.fromkeys(columns), **theirs}))
        total = sum(1 for file in files for _ in lines(file))
        if not count == total == len(loaded):
            yield -1, [("$", f"expected {counted(total, 'row')}, got {len(loaded):,}")]


def _rows(files: Iterable[Path]) -> Iterator[Mapping[str, Any]]:
    for file in files:
        for _, line in lines(file):
            yield orjson.loads(line)


def causes(error: BaseException | None) -> str:
    """The names of an error and of what caused it; their texts may quote rows."""
    names = []
    while error is not None:
        names.append(type(error).__name__)
        error = error.__cause__
    return " caused by ".join(names)


if __name__ == "__main__":
    print(json.dumps(reread(Path(sys.argv[1]))))
