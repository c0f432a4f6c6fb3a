from __future__ import annotations

import gzip
import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from whileai_export.defs import inputs
from whileai_export.defs.outcomes import outcomes
from whileai_export.pipeline.records import read_record
from whileai_export_tests.defs.homes import SECRET, Project, checks, leaking, problem, row, rows


def told(project: Project, simulation: str):
    """The metadata and data version of the registered simulation."""
    result = project.run(simulation, "graded_simulations")
    event = result.get_asset_materialization_events()[0]
    found = event.step_materialization_data.materialization
    metadata = {name: value.value for name, value in found.metadata.items()}
    return result, metadata, (found.tags or {})["dagster/data_version"]


def test_the_sha256_of_the_rows_is_the_data_version(project: Project):
    folder = project.add("night", rows())
    _, metadata, version = told(project, "night")
    data = (folder / "trajectories.jsonl").read_bytes()
    assert version == metadata["sha256"] == hashlib.sha256(data).hexdigest()
    assert metadata["size_bytes"] == len(data)


def test_rows_tasks_rewards_and_shapes_are_told(project: Project):
    project.add("night", rows())
    _, metadata, _ = told(project, "night")
    assert (metadata["rows"], metadata["tasks"], metadata["pass_rate"]) == (8, 4, 0.5)
    assert metadata["dagster/partition_row_count"] == 8
    assert metadata["census"]["source"]["shapes"] == {"steps": 8}


def test_nothing_is_copied(project: Project):
    project.add("night", rows())
    project.run("night", "graded_simulations")
    assert project.files() == set()


def test_a_simulation_without_privileged_blocks_is_registered_with_a_warning(project: Project):
    project.add("night", [{**row("a", 0, 1.0), "privileged": None}])
    result, _, _ = told(project, "night")
    assert checks(result)["graded_simulations/has_privileged"] is False
    assert result.success


def test_unreadable_lines_are_counted_by_line_and_warned_of(project: Project):
    folder = project.add("night", rows())
    with (folder / "trajectories.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"torn": \n')
    result, metadata, _ = told(project, "night")
    assert checks(result)["graded_simulations/readable"] is False
    assert metadata["unreadable_rows"] == 1
    assert metadata["census"]["unreadable"][0]["line"] == 9


def test_a_leaking_simulation_is_registered_without_its_private_text(project: Project):
    project.add("night", leaking())
    result, metadata, _ = told(project, "night")
    assert result.success
    assert SECRET not in json.dumps(metadata)


FIRST = "none of 2 rows can be read: line 1, $: expected one JSON object on the line, got a list"
NONE = f"simulation night: {FIRST} (rows of another shape are read by an adapter that "
REFUSED = [("", "expected rows, got an empty file"), ("[1]\n{]\n", f"{NONE}export.toml names)")]


@pytest.mark.parametrize(("content", "said"), REFUSED)
def test_a_simulation_of_no_readable_row_is_refused(project: Project, content: str, said: str):
    folder = project.add("night", rows())
    (folder / "trajectories.jsonl").write_text(content, "utf-8")
    assert problem(project.run("night")).endswith(said)


def test_a_simulation_that_vanished_is_refused_by_name(project: Project):
    project.register("night")
    assert problem(project.run("night")) == (
        "simulation night: expected a folder or a file, found none"
    )
    assert project.files() == set()


@pytest.mark.parametrize("key", ["a/../b", "../b", "night\n", ".hidden", "a" * 129, "é"])
def test_a_key_added_in_the_ui_that_is_no_plain_name_touches_no_file(project: Project, key: str):
    project.register(key)
    assert problem(project.run(key)).startswith("simulation name: expected 1 to 128 of ")
    assert project.files() == set()


def two_files(folder: Path) -> None:
    rows = (folder / "trajectories.jsonl").read_bytes()
    (folder / "trajectories.jsonl.gz").write_bytes(gzip.compress(rows))


def folder_and_file(folder: Path) -> None:
    shutil.copyfile(folder / "trajectories.jsonl", folder.with_name("night.jsonl"))


def two_packings(folder: Path) -> None:
    shutil.rmtree(folder)
    for suffix in (".jsonl", ".jsonl.gz", ".jsonl.zst"):
        folder.with_name(f"night{suffix}").touch()


def empty(folder: Path) -> None:
    (folder / "trajectories.jsonl").unlink()


def another_file(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_text("notes", "utf-8")


def folder_out(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.symlink_to("/")


def rows_out(folder: Path) -> None:
    empty(folder)
    (folder / "trajectories.jsonl").symlink_to("/etc/hostname")


def circle(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.symlink_to("night")


ONE = "simulation night: expected one"
OUT = "expected a path under the home, got a link"
UNFIT = {
    two_files: f"{ONE} trajectories.jsonl, found 2",
    folder_and_file: f"{ONE} folder or file, got night, night.jsonl",
    two_packings: f"{ONE} folder or file, got night.jsonl, night.jsonl.gz, night.jsonl.zst",
    empty: f"{ONE} trajectories.jsonl, found 0",
    another_file: "simulation night: expected a folder, or a file that ends in"
    " .jsonl, .jsonl.gz, .jsonl.zst; got another file",
    folder_out: f"simulations/night: {OUT} out of it",
    rows_out: f"simulations/night/trajectories.jsonl: {OUT} out of it",
    circle: f"simulations/night: {OUT} that leads nowhere",
}


@pytest.mark.parametrize(("spoil", "said"), UNFIT.items(), ids=lambda v: getattr(v, "__name__", ""))
def test_a_simulation_that_is_none_is_refused_like_any_other_and_remembered(
    project: Project, spoil: Callable[[Path], None], said: str
):
    spoil(project.add("night", rows()))
    result = project.run("night")
    assert problem(result) == said
    steps = [(step.state, step.problem) for step in outcomes(result, project.folders, "night")]
    assert steps == [("refused", said), *[("not run", "")] * 3]
    assert project.files() == {"refusals/graded_simulations/night.json"}
    record = read_record(project.folders.refusal("graded_simulations", "night")) or {}
    assert (record["input"], record["code"], record["problem"]) == ({}, "source", said)


def test_a_refusal_of_two_is_forgotten_once_there_is_one(project: Project):
    two_files(project.add("night", rows()))
    assert not project.run("night").success
    assert project.files() == {"refusals/graded_simulations/night.json"}
    (project.home / "simulations" / "night" / "trajectories.jsonl.gz").unlink()
    assert project.run("night").success
    assert not any(path.startswith("refusals/") for path in project.files())


def test_rows_that_cannot_be_read_are_refused(project: Project, monkeypatch: pytest.MonkeyPatch):
    project.add("night", rows())

    def refusing(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(inputs, "digests_of", refusing)
    assert problem(project.run("night")) == "simulation night: cannot be read: Permission denied"
    assert project.files() == {"refusals/graded_simulations/night.json"}


def test_rows_that_vanish_meanwhile_are_refused_and_not_remembered(
    project: Project, monkeypatch: pytest.MonkeyPatch
):
    project.add("night", rows())

    def refusing(*_: object) -> None:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr(inputs, "digests_of", refusing)
    said = "simulation night: it changed while it was read; try again"
    assert problem(project.run("night")) == said
    assert project.files() == set()
