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


@pytest.mark.parametrize(
    "name", ["README.md", "file.txt", "notes.json", "x.meta.json", "x.jsonl.tmp", "a"]
)
def test_the_name_of_another_file_is_refused(tmp_path: Path, name: str):
    (tmp_path / "simulations").mkdir()
    (tmp_path / "simulations" / name).touch()
    with pytest.raises(SourceError) as refused:
        Folders(tmp_path).simulation(name)
    assert str(refused.value) == (
        f"simulation {name}: expected a folder, or a file that ends in"
        " .jsonl, .jsonl.gz, .jsonl.zst; got another file"
    )


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz", ".jsonl.zst"])
def test_a_simulation_is_not_called_by_its_suffix(tmp_path: Path, suffix: str):
    (tmp_path / "simulations").mkdir()
    (tmp_path / "simulations" / f"a{suffix}").touch()
    with pytest.raises(SourceError) as refused:
        Folders(tmp_path).simulation(f"a{suffix}")
    assert str(refused.value) == (f"simulation a{suffix}: expected the name without {suffix}, a")


def test_another_file_of_the_name_hides_no_simulation(tmp_path: Path):
    place = tmp_path / "simulations"
    place.mkdir()
    for name in ("a", "a.jsonl", "b.md"):
        (place / name).touch()
    (place / "b").mkdir()
    (place / "b.jsonl").mkdir()
    folders = Folders(tmp_path)
    assert folders.simulation("a") == place / "a.jsonl"
    assert folders.simulation("b") == place / "b"
    assert folders.simulation("b.jsonl") == place / "b.jsonl"
    assert folders.simulation("c") == place / "c"


@pytest.mark.parametrize("name", ["a", "a.jsonl"])
def test_a_link_in_a_circle_is_refused(tmp_path: Path, name: str):
    (tmp_path / "simulations").mkdir()
    (tmp_path / "simulations" / name).symlink_to(name)
    with pytest.raises(SourceError, match=f"simulations/{name}: expected a path under the home,"):
        Folders(tmp_path).simulation("a")
