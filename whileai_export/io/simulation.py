"""A simulation folder: the rows as they are and what stands beside them. It is private."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from whileai_export.io.decode import decode
from whileai_export.io.encode import escape_separators
from whileai_export.io.lines import BLOCK_BYTES, BOM, lines
from whileai_export.io.packed import unpacked
from whileai_export.io.private import private_folder
from whileai_export.io.sidecar import PROFILE
from whileai_export.io.source import TRAJECTORIES, Source, opened
from whileai_export.io.staging import Staging
from whileai_export.shared.errors import BadRow, OptionError, SourceError
from whileai_export.shared.schema import ROW_DEPTH, JsonObject
from whileai_export.shared.trainer_rows import trainer_row


def save_simulation(
    data: object,
    folder: str | Path,
    *,
    system_prompt: str | None = None,
    tools: list[JsonObject] | None = None,
) -> Path:
    """Writes the rows of any source, privileged blocks included, to a private folder.

    The folder holds ``trajectories.jsonl`` and ``profile.json``. A simulation that stands there
    is replaced; a folder with anything else in it is refused, and so are rows of a trainer's file.
    """
    target = Path(folder).expanduser()
    _refuse_foreign(target)
    with opened(data) as source, Staging(() if source.path is None else (source.path,)) as staging:
        _refuse_exported(source)
        rows = staging.open(target / TRAJECTORIES[0], private=True)
        profile = staging.open(target / PROFILE, private=True)
        private_folder(target)
        profile.write(_encoded(_profile(source, system_prompt, tools)))
        some = False
        for piece in _pieces(source):
            rows.write(piece)
            some = some or bool(piece.strip())
        if not some:
            raise SourceError(f"{source.label}: expected rows, got none")
        staging.publish(last=target / TRAJECTORIES[0])
    return target


def _refuse_foreign(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise OptionError(f"{folder}: expected a folder to write to, got a file")
    names = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    own = {name for name in names if name.endswith(".part")} | {PROFILE}
    if names - own and TRAJECTORIES[0] not in names:
        raise OptionError(f"{folder}: expected a new folder or a simulation, got other files in it")


def _refuse_exported(source: Source) -> None:
    """A file of a trainer's rows, told by its first; rows in memory are looked at one by one."""
    for number, line in () if source.path is None else lines(source.path):
        with suppress(BadRow):
            _refuse_trainers(f"line {number}", decode(line)[0])
        break


def _refuse_trainers(where: str, row: JsonObject) -> None:
    found = trainer_row(row)
    if found is not None:
        raise SourceError(f"{where}: expected a trajectory, got {found}")


def _profile(
    source: Source, system_prompt: str | None, tools: list[JsonObject] | None
) -> JsonObject:
    around = source.around
    found: dict[str, Any] = {
        "policy": system_prompt if system_prompt is not None else around.source_prompt,
        "tools": tools if tools is not None else around.source_tools,
        "system_prompts": dict(around.source_prompts) or None,
    }
    return {name: value for name, value in found.items() if value is not None}


def _pieces(source: Source) -> Iterator[bytes]:
    return _rows(source.rows or ()) if source.path is None else _bytes_of(source.path)


def _bytes_of(path: Path) -> Iterator[bytes]:
    """A file as it is, also what is no row in it, but without the mark at its start."""
    last = b""
    with unpacked(path) as stream:
        while piece := stream.read(BLOCK_BYTES):
            yield piece if last else piece.removeprefix(BOM)
            last = piece[-1:]
    if last != b"\n":
        yield b"\n"


def _rows(rows: Iterable[object]) -> Iterator[bytes]:
    for number, row in enumerate(rows):
        if not isinstance(row, dict):
            raise SourceError(f"row {number}: expected an object, got {type(row).__name__}")
        _refuse_trainers(f"row {number}", row)
        try:
            _refuse_unfaithful(row)
            yield _encoded(row)
        except SourceError as error:
            raise SourceError(f"row {number}: {error}") from None


def _encoded(value: JsonObject) -> bytes:
    """One line that reads back as the same value: NaN and lone surrogates stay what they are."""
    try:
        text = json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        text = json.dumps(value).encode()
    return escape_separators(text) + b"\n"


def _refuse_unfaithful(row: JsonObject) -> None:
    """Only what JSON gives back as it was: nothing is turned into text on the way."""
    here: Iterable[tuple[str, object]] = [("$", row)]
    for _ in range(ROW_DEPTH + 1):
        here = [child for at, value in here for child in _children(at, value)]
        if not here:
            return
    raise SourceError(f"expected at most {ROW_DEPTH} levels, got a deeper row")


def _children(at: str, value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for key, child in value.items():
            if not isinstance(key, str):
                raise SourceError(f"expected text as a key, got {type(key).__name__}", at=at)
            yield f"{at}.{key}", child
    elif isinstance(value, list | tuple):
        for number, child in enumerate(value):
            yield f"{at}[{number}]", child
    elif value is not None and not isinstance(value, str | int | float):
        raise SourceError(f"expected a JSON value, got {type(value).__name__}", at=at)
