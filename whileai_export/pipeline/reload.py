"""The reload gate: do staged files come back from a loader as they were written?

With the package ``datasets`` the files are loaded, under their names, and compared value by
value; without it the loader's first-chunk rules are applied to them.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import orjson

import whileai_export
from whileai_export.io.cards import DataFile, dataset_card, declared
from whileai_export.io.lines import lines
from whileai_export.pipeline.dates import Dates
from whileai_export.pipeline.first_chunk import unfit
from whileai_export.pipeline.load import column_types
from whileai_export.shared.counted import agreeing, counted
from whileai_export.shared.errors import GateError
from whileai_export.shared.findings import NAMED, Finding
from whileai_export.shared.tally import Seen

#: The first version that has a type for JSON.
_LEAST = (4, 7)
#: The loader's parser takes more for numbers than JSON does.
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?")


def loader() -> str | None:
    """The version of ``datasets``, where one is installed that knows JSON."""
    try:
        found = version("datasets")
    except PackageNotFoundError:
        return None
    return found if tuple(int(part) for part in found.split(".")[:2]) >= _LEAST else None


def reload_gate(
    report: dict[str, Any], staged: Callable[[str], Path | None], card: bytes | None
) -> GateError | None:
    """Why staged files may not be published, or None. What was found is in the report."""
    mode = report["options"]["reload"]
    if mode == "off" or (mode == "auto" and loader() is None):
        return None
    places = {output["path"]: staged(output["path"]) for output in report["outputs"]}
    found = {target: path for target, path in places.items() if path is not None}
    seen, how = check_staged(report["outputs"], found, card)
    come = agreeing(seen.count, "comes", "come")
    changed = f"{seen.count:,} {come} back changed" if seen.count else "none changes"
    summary = f"reload: {counted(seen.checked, 'row')} {how}, {changed}"
    report["findings"]["reload"] = {
        "checked": True,
        "n_checked": seen.checked,
        "count": seen.count,
        "named": [finding.plain() for finding in seen.named],
        "refuses": mode == "refuse",
        "summary": summary,
    }
    if not seen.count:
        return None
    first = seen.named[0]
    told = f"{summary}; {first.at}: {first.problem}"
    if mode == "refuse":
        return GateError("reload", told.removeprefix("reload: "), report)
    report["warnings"].append(told)
    return None


def check_staged(
    outputs: Iterable[Mapping[str, Any]], staged: Mapping[str, Path], card: bytes | None
) -> tuple[Seen, str]:
    """What comes back changed of a report's outputs, which stand where ``staged`` says."""
    if card is not None:
        return check_files({Path(target).name: path for target, path in staged.items()}, card)
    whole, how = Seen(), ""
    for output in outputs:
        if output["path"] in staged:
            seen, how = _check_alone(output, staged[output["path"]])
            whole += seen
    return whole, how


def _check_alone(output: Mapping[str, Any], path: Path) -> tuple[Seen, str]:
    """A file without a card: as it is, and if that changes it, with its features declared."""
    name = Path(output["path"]).name
    bare, how = check_files({name: path}, None)
    if not bare.count:
        return bare, how
    features = column_types(output["columns"], output["format"])
    card = dataset_card({"default": [DataFile("train", name)]}, {"default": features}, "")
    with_features, how = check_files({name: path}, card.encode())
    if with_features.count:
        return with_features, how
    needs = "needs declared features, as the snippet under `load` gives them"
    return _seen(bare.checked, bare.count, [(-1, "$", needs)]), how


def check_files(files: Mapping[str, Path], card: bytes | None) -> tuple[Seen, str]:
    """``check_folder`` of a folder that is to be: the files under their names, and their card."""
    with tempfile.TemporaryDirectory(prefix="whileai_export.") as scratch:
        folder = Path(scratch) / "staged"
        folder.mkdir()
        for name, path in files.items():
            (folder / name).symlink_to(path.absolute())
        if card is not None:
            (folder / "README.md").write_bytes(card)
        return check_folder(folder)


def check_folder(folder: Path) -> tuple[Seen, str]:
    """What comes back changed from a folder of files and their card; and how it was found out."""
    known = loader()
    if known is None:
        return _by_rules(folder), "by the first-chunk rules; datasets is not installed"
    return _by_loading(folder), f"loaded with datasets {known}"


def _by_loading(folder: Path) -> Seen:
    root = Path(whileai_export.__file__).parents[1]
    paths = os.pathsep.join([str(root), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-P", "-m", "whileai_export.pipeline.rereading", str(folder)],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        check=False,
    )
    if done.returncode:
        return _seen(0, 1, [(-1, "$", "expected a dataset, got a loader that failed")])
    told = json.loads(done.stdout.splitlines()[-1])
    named = [(row, at, problem) for row, at, problem in told["named"]]
    return _seen(told["rows"], told["count"], named)


def _by_rules(folder: Path) -> Seen:
    rows, named = 0, []
    found = declared(folder)
    for config, splits in found.files.items():
        for files in splits.values():
            features = found.features.get(config, {})
            told = list(_misread(files, features))
            named += [(row, f"{config} {at}", problem) for row, at, problem in told]
            rows += sum(1 for _ in _texts(files))
    return _seen(rows, len({(at.split()[0], row) for row, at, _ in named}), named[:NAMED])


def _misread(files: Iterable[Path], features: Mapping[str, str]) -> Iterator[tuple[int, str, str]]:
    """Undeclared: what a guess would change. Declared: texts that a JSON column would read."""
    columns = {name for text in _texts(files) for name in orjson.loads(text)}
    if not columns <= features.keys():
        for row, at, problem in unfit(_texts(files)):
            yield row, at, f"needs the features of its README: {problem}"
        return
    yield from _mistyped(files, features)


def _mistyped(files: Iterable[Path], features: Mapping[str, str]) -> Iterator[tuple[int, str, str]]:
    loose = [name for name, type_ in features.items() if type_ == "json"]
    texts = [name for name, type_ in features.items() if type_ == "string"]
    columns = {name: ["string"] for name in texts}
    dates = Dates(columns)
    for row, text in enumerate(_texts(files)):
        dates.look(text)
        values = orjson.loads(text)
        for name in loose:
            if isinstance(values.get(name), str) and _is_json(values[name]):
                yield row, f"$.{name}", "text that is JSON comes back as what it says"
    for name, kinds in dates.kinds(columns).items():
        if kinds == ["date"]:
            yield 0, f"$.{name}", "texts that look like dates come back in another spelling"


def _texts(files: Iterable[Path]) -> Iterator[bytes]:
    for file in files:
        yield from (text for _, text in lines(file))


def _is_json(text: str) -> bool:
    if _NUMBER.fullmatch(text):
        return True
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    return True


def _seen(rows: int, count: int, named: Iterable[tuple[int, str, str]]) -> Seen:
    found = [Finding("reload", at, problem, row) for row, at, problem in named]
    return Seen(checked=rows, count=count, named=found[:NAMED], rows=[f.row for f in found])
