"""Every command that the command line prints for the demo's data is typed as it stands."""

from __future__ import annotations

import gzip
import json
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from whileai_export.cli.door import program
from whileai_export.defs.local import LocalProject
from whileai_export.demo import parcel_desk, workshop_desk
from whileai_export.export import save_simulation
from whileai_export_tests.cli.calling import call

Rows = list[dict[str, Any]]
#: Words that stand for something which the reader has to put in.
_OPEN = {"FILE", "NAME"}
#: What is put in for FILE after these.
_AROUND = {
    "--system-prompt": ("policy.md", "Help whoever calls."),
    "--tools": ("tools.json", '[{"type": "function", "function": {"name": "free_days"}}]'),
}
_ENOUGH = 4


def suggested(output: str) -> Iterator[list[str]]:
    """The commands in what was printed."""
    for words in re.findall(rf"{re.escape(program())} (.*)", output):
        typed = filled_in(shlex.split(words))
        if not _OPEN.intersection(typed) and typed[0] != "ui":
            yield typed


def filled_in(typed: list[str]) -> list[str]:
    """The command with the system prompt and the tools that it leaves to the reader."""
    for option in _AROUND.keys() & typed:
        place = typed.index(option) + 1
        if typed[place] == "FILE":
            typed[place], text = _AROUND[option]
            Path(typed[place]).write_text(text, "utf-8")
    return typed


def followed(*words: object, project: Any = None) -> list[tuple[str, int]]:
    """What became of a call and of every command that came of it, each with its exit code."""
    open_ends, done = [[str(word) for word in words]], []
    while open_ends:
        typed = open_ends.pop()
        result = call(*typed, project=project)
        done.append((shlex.join(typed), result.exit_code))
        assert len(done) <= _ENOUGH, done
        assert result.exit_code != 2 or len(done) == 1, f"{done}\n{result.output}"
        open_ends += suggested(result.output)
    return done


def leak(rows: Rows) -> Rows:
    return list(parcel_desk().trajectories)


def as_they_are(rows: Rows) -> Rows:
    return rows


def torn_call(rows: Rows) -> Rows:
    call = {"id": "c", "type": "function", "function": {"name": "free_days", "arguments": "7]"}}
    rows[0]["messages"][1] = {"role": "assistant", "content": "", "tool_calls": [call]}
    return rows


def both(rows: Rows) -> Rows:
    return torn_call(rows) + leak(rows)


def out_of_order(rows: Rows) -> Rows:
    rows[0]["messages"].insert(1, {"role": "user", "content": "Hello?"})
    return rows


def unreadable(rows: Rows) -> Rows:
    return [*rows, *({"prompt": "Hi", "steps": 7} for _ in range(9))]


Change = Callable[[Rows], Rows]
CHANGES = [as_they_are, leak, torn_call, both, out_of_order, unreadable]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Change], Path]:
    """The clean rows of the demo, changed, as a file in the folder in which one types."""
    monkeypatch.chdir(tmp_path)

    def made(change: Change) -> Path:
        rows = change([json.loads(json.dumps(row)) for row in workshop_desk().trajectories])
        Path("runs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        return Path("runs.jsonl")

    return made


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize(
    "words",
    [
        ("inspect",),
        ("check",),
        ("check", "--strict"),
        ("preview", "-n", "6"),
        ("preview", "-n6", "--full"),
        ("export", "--strict", "-o", "train.jsonl"),
        ("export", "--on-leak=refuse", "--max-quarantined", "0.01"),
        ("preference", "--format", "trl", "--on-bad-row", "refuse"),
    ],
)
def test_what_is_suggested_for_a_file_works(
    words: tuple[str, ...], change: Change, file: Callable[[Change], Path]
):
    command, *rest = words
    done = followed(command, file(change), *rest)
    assert done[-1][1] == 0 or change is unreadable, done


@pytest.mark.parametrize("command", ["inspect", "check", "preview"])
def test_what_is_suggested_for_a_simulation_and_a_packed_file_works(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    folder = save_simulation(parcel_desk(), tmp_path / "desk")
    assert followed(command, folder)[-1][1] == 0
    monkeypatch.chdir(folder)
    assert followed(command, ".")[-1][1] == 0
    packed = tmp_path / "train.jsonl.gz"
    packed.write_bytes(gzip.compress((folder / "trajectories.jsonl").read_bytes()))
    assert followed(command, packed)[-1][1] == 0


def test_what_is_suggested_for_a_store_works(
    memory: Any, leaking: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    memory.pipe("/box/runs.jsonl", leaking.read_bytes())
    assert followed("check", "memory://box/runs.jsonl")[-1][1] == 0
    assert followed("export", leaking, "-o", "memory://box/t.jsonl")[-1][1] == 0
    assert memory.exists("/box/t.jsonl")


@pytest.mark.parametrize("format", ["openai", "trl", "trl-completion", "kto", "fireworks"])
@pytest.mark.parametrize("command", ["inspect", "check", "preview"])
def test_what_is_suggested_for_a_training_file_works(
    command: str, format: str, clean: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    call("export", clean, "--format", format, "-o", "train.jsonl")
    assert followed(command, "train.jsonl")[-1][1] == 0


def test_what_the_project_suggests_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    project = LocalProject(tmp_path / "export_home")
    assert call("demo", project=project).exit_code == 0
    done = followed("run", "parcel_desk", project=project)
    assert [code for _, code in done] == [1, 0]
    assert followed("versions", project=project)[-1][1] == 0
    assert followed("check", "export_home", project=project)[-1][1] == 0
    file = next((tmp_path / "export_home/sft/parcel_desk").glob("*.jsonl"))
    file.write_bytes(file.read_bytes()[:-1])
    done = followed("check", "export_home/sft/parcel_desk", project=project)
    assert done[1][0] == "run parcel_desk"
