from __future__ import annotations

from pathlib import Path

import pytest

from whileai_export.defs.resources import Datasets, Folders, default_home
from whileai_export.shared.errors import SourceError


def test_the_home_is_what_the_environment_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("WHILEAI_EXPORT_HOME", str(tmp_path))
    assert Datasets().of().home == default_home() == tmp_path
    monkeypatch.delenv("WHILEAI_EXPORT_HOME")
    monkeypatch.chdir(tmp_path)
    assert default_home() == tmp_path / "export_home"


def test_a_step_uses_one_process_at_least():
    assert Datasets().workers == 1
    with pytest.raises(ValueError, match="greater than or equal to 1"):
        Datasets(workers=0)


def test_the_folders_of_a_home(tmp_path: Path):
    folders = Folders(tmp_path)
    paths = [
        folders.simulation("a"),
        folders.training_rows("a"),
        folders.training_rows_report("a"),
        folders.published("sft", "a"),
        folders.published_files("preference", "a")["trl-completion"],
        folders.quarantine("a"),
        folders.refusal("sft_jsonl", "a"),
    ]
    assert [path.relative_to(tmp_path).as_posix() for path in paths] == [
        "simulations/a",
        "training_rows/a.jsonl",
        "training_rows/a.report.json",
        "sft/a",
        "preference/a/preference.trl-completion.jsonl",
        "quarantine/a.jsonl",
        "refusals/sft_jsonl/a.json",
    ]


def test_a_named_dataset_shares_the_simulations_and_keeps_its_own_files(tmp_path: Path):
    folders = Folders(tmp_path, "support")
    assert folders.simulation("a") == tmp_path / "simulations" / "a"
    assert folders.published("sft", "a") == tmp_path / "sft" / "support" / "a"
    assert folders.training_rows("a") == tmp_path / "training_rows" / "support" / "a.jsonl"


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz", ".jsonl.zst"])
def test_a_simulation_may_be_one_file(tmp_path: Path, suffix: str):
    file = tmp_path / "simulations" / f"a{suffix}"
    file.parent.mkdir()
    file.touch()
    assert Folders(tmp_path).simulation("a") == file


def test_a_folder_and_a_file_of_one_name_are_refused(tmp_path: Path):
    (tmp_path / "simulations" / "a").mkdir(parents=True)
    (tmp_path / "simulations" / "a.jsonl").touch()
    with pytest.raises(SourceError, match=r"expected one folder or file, got a, a\.jsonl"):
        Folders(tmp_path).simulation("a")


def test_a_link_out_of_the_home_is_refused(tmp_path: Path):
    outside = tmp_path / "outside"
    outside.mkdir()
    home = tmp_path / "home"
    (home / "simulations").mkdir(parents=True)
    (home / "simulations" / "a").symlink_to(outside)
    (home / "sft").symlink_to(outside)
    with pytest.raises(SourceError, match="simulations/a: expected a path under the home"):
        Folders(home).simulation("a")
    with pytest.raises(SourceError, match="sft/a: expected a path under the home"):
        Folders(home).published("sft", "a")


def test_a_home_may_itself_be_a_link(tmp_path: Path):
    (tmp_path / "real").mkdir()
    (tmp_path / "home").symlink_to(tmp_path / "real")
    assert Datasets(home=str(tmp_path / "home")).of().simulation("a").parent.parent == (
        tmp_path / "real"
    )
