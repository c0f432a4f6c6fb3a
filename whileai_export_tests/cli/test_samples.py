from __future__ import annotations

from pathlib import Path

import pytest

from whileai_export.cli.samples import put, refuse_others
from whileai_export.demo import parcel_desk
from whileai_export.export import save_simulation
from whileai_export.shared.errors import OptionError
from whileai_export_tests.builders import chat_row, jsonl
from whileai_export_tests.cli.calling import PretendProject, call


def test_a_sample_that_lies_there_already_is_left_alone(tmp_path: Path):
    project = PretendProject(tmp_path)
    put(project, parcel_desk())
    rows = project.folder("parcel_desk") / "trajectories.jsonl"
    before = rows.stat()
    refuse_others(project, [parcel_desk()])
    put(project, parcel_desk())
    assert rows.stat().st_ino == before.st_ino
    assert project.names == ["parcel_desk", "parcel_desk"]


def test_a_demo_that_was_killed_stands_in_nobodys_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    project = PretendProject(tmp_path)

    def killed(_: object, folder: Path) -> None:
        (folder / "profile.json").write_text("{}")
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("whileai_export.cli.samples.save_simulation", killed)
        with pytest.raises(KeyboardInterrupt):
            put(project, parcel_desk())
    assert not project.folder("parcel_desk").exists()
    refuse_others(project, [parcel_desk()])
    put(project, parcel_desk())
    refuse_others(project, [parcel_desk()])


@pytest.mark.parametrize("name", ["parcel_desk", "parcel_desk/profile.json"])
def test_the_demo_takes_the_place_of_no_simulation_of_somebodys_own(tmp_path: Path, name: str):
    project = PretendProject(tmp_path)
    folder = project.folder("parcel_desk")
    save_simulation([chat_row()] if name == "parcel_desk" else parcel_desk(), folder)
    if name != "parcel_desk":
        (folder / "profile.json").write_text("{}")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    done = call("demo", project=project)
    assert done.exit_code == 2
    problem = f"there is a simulation 'parcel_desk' already that is not the demo's: {folder}; give"
    assert problem in done.output
    assert f"or remove it: rm -r {folder}" in done.output
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert (project.names, project.ran_with) == ([], {})
    assert not project.folder("workshop_desk").exists()


def test_a_simulation_that_is_one_file_is_somebodys_own_too(tmp_path: Path):
    class OneFile(PretendProject):
        def folder(self, name: str) -> Path:
            return tmp_path / f"{name}.jsonl"

    jsonl(tmp_path / "parcel_desk.jsonl", [chat_row()])
    with pytest.raises(OptionError, match="there is a simulation 'parcel_desk' already"):
        refuse_others(OneFile(tmp_path), [parcel_desk()])
