from __future__ import annotations

import gzip
import json
import stat
from pathlib import Path

import pytest

from whileai_export_tests.cli.calling import PretendProject, call

NEW = b'{"prompt": "New", "final_text": "Hello"}\n'
ROWS = b'{"prompt": "Hi", "final_text": "Hello"}\n{broken\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(ROWS)
    return path


def known(folder: Path) -> object:
    return json.loads((folder / "profile.json").read_text("utf-8"))


def test_a_file_becomes_a_simulation_with_its_rows_as_they_are(file: Path, tmp_path: Path):
    project = PretendProject(tmp_path)
    done = call("add", file, "--name", "mine", project=project)
    assert done.exit_code == 0, done.output
    assert (tmp_path / "simulations/mine/trajectories.jsonl").read_bytes() == ROWS
    assert project.names == ["mine"]


def test_what_it_makes_is_private(file: Path, tmp_path: Path):
    call("add", file, "--name", "mine", project=PretendProject(tmp_path))
    folder = tmp_path / "simulations/mine"
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.iterdir())}
    assert modes == {"mine": 0o700, "trajectories.jsonl": 0o600, "profile.json": 0o600}


def test_the_given_prompt_and_tools_go_into_the_profile(file: Path, tmp_path: Path):
    (tmp_path / "policy.md").write_text("Be kind.", "utf-8")
    (tmp_path / "tools.json").write_text('[{"name": "a"}]', "utf-8")
    given = ("--system-prompt", tmp_path / "policy.md", "--tools", tmp_path / "tools.json")
    call("add", file, "--name", "mine", *given, project=PretendProject(tmp_path))
    assert known(tmp_path / "simulations/mine") == {"policy": "Be kind.", "tools": [{"name": "a"}]}


def test_the_sidecar_is_taken_along(file: Path, tmp_path: Path):
    beside = {"system_prompt": "One.", "system_prompts": {"ab": "Two."}, "tools": [{"name": "a"}]}
    (tmp_path / "runs.meta.json").write_text(json.dumps(beside), "utf-8")
    call("add", file, "--name", "mine", project=PretendProject(tmp_path))
    folder = tmp_path / "simulations/mine"
    assert known(folder) == {"policy": "One.", "tools": [{"name": "a"}]}
    sidecar = json.loads((folder / "trajectories.meta.json").read_text("utf-8"))
    assert sidecar == {"system_prompts": {"ab": "Two."}}


def test_a_packed_file_stays_packed(tmp_path: Path):
    file = tmp_path / "runs.jsonl.gz"
    packed = gzip.compress(ROWS)
    file.write_bytes(packed)
    call("add", file, "--name", "mine", project=PretendProject(tmp_path))
    assert (tmp_path / "simulations/mine/trajectories.jsonl.gz").read_bytes() == packed


def test_a_name_in_use_is_refused_unless_it_is_to_be_replaced(file: Path, tmp_path: Path):
    project = PretendProject(tmp_path)
    call("add", file, "--name", "mine", project=project)
    file.write_bytes(NEW)
    again = call("add", file, "--name", "mine", project=project)
    assert again.exit_code == 2
    assert again.output.startswith("error: there is a simulation 'mine' already; --replace")
    assert (tmp_path / "simulations/mine/trajectories.jsonl").read_bytes() == ROWS
    assert call("add", file, "--name", "mine", "--replace", project=project).exit_code == 0
    assert (tmp_path / "simulations/mine/trajectories.jsonl").read_bytes() == NEW
    assert [path.name for path in (tmp_path / "simulations").iterdir()] == ["mine"]


@pytest.mark.parametrize("name", ["trajectories.jsonl", "trajectories.jsonl.gz"])
def test_a_simulation_folder_is_taken_with_what_it_knows(name: str, tmp_path: Path):
    folder = tmp_path / "desk"
    folder.mkdir()
    rows = gzip.compress(ROWS) if name.endswith(".gz") else ROWS
    (folder / name).write_bytes(rows)
    (folder / "profile.json").write_text('{"policy": "Be kind."}', "utf-8")
    done = call("add", folder, "--name", "mine", project=PretendProject(tmp_path / "home"))
    assert done.exit_code == 0, done.output
    made = tmp_path / "home/simulations/mine"
    assert (made / name).read_bytes() == rows
    assert known(made) == {"policy": "Be kind."}


def test_a_folder_that_is_no_simulation_is_refused(tmp_path: Path):
    done = call("add", tmp_path, "--name", "mine", project=PretendProject(tmp_path))
    assert (done.exit_code, done.output) == (
        2,
        f"error: {tmp_path}: expected a simulation folder with one trajectories.jsonl in it,"
        " found none; name the file that holds the rows\n",
    )


def test_a_file_that_is_no_jsonl_is_refused(tmp_path: Path):
    (tmp_path / "runs.csv").write_text("a,b", "utf-8")
    done = call("add", tmp_path / "runs.csv", "--name", "mine", project=PretendProject(tmp_path))
    assert done.exit_code == 2
    assert "expected a file that ends in .jsonl, .jsonl.gz, .jsonl.zst" in done.output


def test_what_is_no_simulation_is_refused_and_nothing_is_added(tmp_path: Path):
    (tmp_path / "empty.jsonl").touch()
    done = call("add", tmp_path / "empty.jsonl", "--name", "a", project=PretendProject(tmp_path))
    assert done.exit_code == 2
    assert done.output.endswith("empty.jsonl: expected rows, got an empty file\n")
    assert not (tmp_path / "simulations").exists()


def test_what_a_file_lacks_is_a_warning(file: Path, tmp_path: Path):
    done = call("add", file, "--name", "mine", "--json", project=PretendProject(tmp_path))
    *said, bare = json.loads(done.output)["warnings"]
    assert said == [
        "no row carries a privileged block: the leak gate has nothing to check",
        "1 of 2 rows cannot be read",
    ]
    assert bare.startswith("1 row without a system prompt; add it again with: ")
    assert bare.endswith(f" add {file} --name mine --json --system-prompt FILE --replace")


def test_a_place_that_takes_no_file_is_named_as_the_simulation_it_would_be(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def closed(*_: object) -> None:
        raise PermissionError(13, "Permission denied", ".mine.x.part")

    monkeypatch.setattr("whileai_export.pipeline.folders.scratch_folder", closed)
    done = call("add", file, "--name", "mine", project=PretendProject(tmp_path))
    assert done.exit_code == 2
    place = tmp_path / "simulations" / "mine"
    assert done.output == f"error: {place}: cannot be written: Permission denied\n"


def test_a_simulation_that_is_one_file_is_replaced_by_a_folder_of_its_name(
    file: Path, tmp_path: Path
):
    class OneFile(PretendProject):
        def folder(self, name: str) -> Path:
            return self.home / "simulations" / f"{name}.jsonl"

    former = tmp_path / "simulations/mine.jsonl"
    former.parent.mkdir()
    former.write_bytes(NEW)
    done = call("add", file, "--name", "mine", "--replace", project=OneFile(tmp_path))
    assert done.exit_code == 0, done.output
    assert [path.name for path in former.parent.iterdir()] == ["mine"]
    assert (former.parent / "mine/trajectories.jsonl").read_bytes() == ROWS


def test_a_simulation_can_be_added_again_with_what_it_lacks_and_keeps_what_it_has(
    file: Path, tmp_path: Path
):
    (tmp_path / "policy.md").write_text("Be kind.", "utf-8")
    (tmp_path / "tools.json").write_text('[{"name": "a"}]', "utf-8")
    project, place = PretendProject(tmp_path), tmp_path / "simulations/mine"
    prompt, tools = (
        ("--system-prompt", tmp_path / "policy.md"),
        ("--tools", tmp_path / "tools.json"),
    )
    call("add", file, "--name", "mine", *prompt, project=project)
    done = call("add", place, "--name", "mine", *tools, "--replace", project=project)
    assert done.exit_code == 0, done.output
    assert known(place) == {"policy": "Be kind.", "tools": [{"name": "a"}]}
    assert (place / "trajectories.jsonl").read_bytes() == ROWS
