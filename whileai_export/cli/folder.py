"""A folder of published files: past the gates, as it was published, and as a loader takes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from whileai_export.cli.door import command
from whileai_export.cli.published import SIDES
from whileai_export.cli.reports import warned
from whileai_export.cli.terminal import columns
from whileai_export.cli.whereabouts import REPORT, one_inside, report_in
from whileai_export.pipeline.audit import audit
from whileai_export.pipeline.private_rows import PrivateRows
from whileai_export.pipeline.reload import check_folder
from whileai_export.shared.counted import agreeing, counted
from whileai_export.shared.errors import OptionError, SourceError
from whileai_export.shared.findings import Gate
from whileai_export.shared.schema import JsonObject
from whileai_export.versions.parts import KINDS

#: Warning gates that need nothing but a conversation and its tools; ``policy`` wants the recorded
#: prompt, which no trainer reads.
OF_MESSAGES: tuple[Gate, ...] = ("tool_schema", "secrets")


@dataclass(slots=True)
class Looked:
    """What a look at a folder came to: the gates' lines, what is wrong, what is doubtful."""

    pairs: bool = False
    files: dict[str, JsonObject] = field(default_factory=dict)
    """What the gates saw, by format."""
    reload: JsonObject = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    doubtful: list[str] = field(default_factory=list)
    places: dict[str, list[str]] = field(default_factory=dict)
    """The first rows of what is doubtful, by what that is."""

    @property
    def rows(self) -> int:
        """Lines of all files."""
        return sum(seen["rows"] for seen in self.files.values())

    def lines(self) -> Iterator[tuple[str, str, str]]:
        """Every gate over every file."""
        for format, seen in self.files.items():
            yield format, "tool_call_roundtrip", calls_checked(seen["tool_call_roundtrip"])
            yield format, "privileged_leak", seen["privileged_leaks"]["summary"]
            for gate, found in _warning(seen):
                yield format, gate, str(found["summary"]).removeprefix(f"{gate}: ")
        if self.reload:
            yield "all", "reload", self.reload["summary"]

    def told(self) -> Iterator[tuple[str, str | None]]:
        """What the gates saw, what is wrong and what is doubtful, a line each."""
        yield from ((line, None) for line in (columns(self.lines()) if self.files else ()))
        yield from ((f"  wrong    {problem}", "bad") for problem in self.wrong)
        for problem in self.doubtful:
            yield f"  warning  {problem}", "warn"
            yield from ((f"         {line}", "warn") for line in self.places.get(problem, ()))

    def verdict(self, place: str, refused: bool) -> tuple[str, str]:
        """One line about the whole."""
        if not (self.files or self.wrong):
            return f"{place}: no file is published here, the latest run had none to write", "bad"
        rows = counted(self.rows, "pair" if self.pairs else "row")
        said = f"{place}: {counted(len(self.files), 'file')}, {rows}"
        if refused:
            return f"{said}, not as they should be", "bad"
        return f"{said}, as they were published", "good"

    def plain(self) -> JsonObject:
        """JSON-safe."""
        return {
            "counts": {"read": self.rows},
            "files": self.files,
            "reload": self.reload,
            "wrong": self.wrong,
            "doubtful": self.doubtful,
        }


def _warning(seen: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    """Every gate that only warns, and what it saw."""
    yield "structure", seen["structure"]
    yield from seen["warned"].items()


def by_side(named: list[JsonObject], pairs: bool) -> list[JsonObject]:
    """Findings by row and side: the gates look at each side of a pair as a conversation."""
    if not pairs:
        return named
    return [{**found, "row": found["row"] // 2, "side": SIDES[found["row"] % 2]} for found in named]


def calls_checked(calls: JsonObject) -> str:
    """How many tool calls were looked at, and how many of them no consumer can read."""
    return f"{counted(calls['checked'], 'call')} checked, {calls['invalid']:,} invalid"


def published(source: str) -> JsonObject | None:
    """The report of a folder of published files; None where it is no such folder.

    Refused where it is a version, or holds such folders: those are named.
    """
    folder = Path(source)
    if (folder / "manifest.json").is_file():
        *_, shelf, name = folder.resolve().parts
        word = name if shelf == "versions" else f"{shelf}/{name}"
        raise OptionError(f"{source} is a version; this reads it: {command('verify', word)}")
    report = report_in(folder)
    if report is None and _was_published(folder):
        again = command("run", folder.resolve().name)
        raise SourceError(
            f"{source}/{REPORT}: expected the report of published files, got a damaged file;"
            f" this writes it again: {again}"
        )
    inside = None if report else one_inside(folder)
    if inside:
        raise OptionError(
            f"{source}: expected the folder of one simulation, got a folder of such folders;"
            f" name one: {command('check', str(inside))}"
        )
    return report


def _was_published(folder: Path) -> bool:
    """Whether files for trainers lie beside a report, so that it is one of ours."""
    beside = [path for kind in KINDS for path in folder.glob(f"{kind}.*.jsonl")]
    return (folder / REPORT).is_file() and bool(beside or staged_rows(folder.resolve()))


def looked_at(folder: Path, report: JsonObject) -> Looked:
    """Every file that is named, every one that is not, and the whole as a loader takes it."""
    looked, outputs = Looked("pairs" in report), report["outputs"]
    private = PrivateRows(staged_rows(folder.resolve()))
    for output in outputs:
        path = folder / Path(output["path"]).name
        if path.is_file():
            _look(path, output, private, looked)
        else:
            looked.wrong.append(f"{path.name}: the file is gone")
    named = {Path(output["path"]).name for output in outputs}
    found = sorted({path.name for path in folder.glob("*.jsonl")} - named)
    looked.wrong += [f"{name}: {REPORT} does not name it" for name in found]
    if outputs and not (folder / "README.md").is_file():
        looked.wrong.append("README.md: the file that declares the features is gone")
    if outputs and not looked.wrong:
        _reload(folder, looked)
    return looked


def staged_rows(folder: Path) -> Path | None:
    """The staged rows that a published folder of a home was made of; None elsewhere."""
    for kind, *below in (folder.parts[-2:], folder.parts[-3:]):
        home = folder.parents[len(below)]
        staged = home.joinpath("training_rows", *below[:-1], f"{below[-1]}.jsonl")
        if kind in KINDS and staged.is_file():
            return staged
    return None


def _look(path: Path, output: JsonObject, private: PrivateRows, looked: Looked) -> None:
    try:
        seen: dict[str, Any] = audit(path, output["format"], private=private, gates=OF_MESSAGES)
    except SourceError as error:
        raise SourceError(f"{path}: {error}") from error
    looked.files[output["format"]] = seen
    if seen["sha256"] != output["sha256"]:
        said = f"sha256 is {seen['sha256'][:12]}, {REPORT} says {output['sha256'][:12]}"
        looked.wrong.append(f"{path.name}: it was changed since it was published: {said}")
    invalid, leaks = seen["tool_call_roundtrip"]["invalid"], seen["privileged_leaks"]
    if invalid:
        calls = counted(invalid, "call is", "calls are")
        looked.wrong.append(f"{path.name}: tool_call_roundtrip: {calls} invalid")
    if leaks["n_leaked"]:
        looked.wrong.append(f"{path.name}: privileged_leak: {leaks['summary']}")
    for _, found in _warning(seen):
        if found["count"]:
            found["named"] = by_side(found["named"], looked.pairs)
            looked.doubtful.append(f"{path.name}: {found['summary']}")
            looked.places[looked.doubtful[-1]] = warned(found)


def _reload(folder: Path, looked: Looked) -> None:
    seen, how = check_folder(folder)
    come = agreeing(seen.count, "comes", "come")
    changed = f"{seen.count:,} {come} back changed" if seen.count else "none comes back changed"
    summary = f"{counted(seen.checked, 'row')}, {changed} ({how})"
    named = [finding.plain() for finding in seen.named]
    looked.reload = {"n_checked": seen.checked, "count": seen.count, "named": named}
    looked.reload["summary"] = summary
    if seen.count:
        first = named[0]
        looked.doubtful.append(f"reload: {summary}; {first['at']}: {first['problem']}")
