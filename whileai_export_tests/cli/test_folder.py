from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from whileai_export.cli import folder
from whileai_export.io.cards import DataFile, dataset_card
from whileai_export.pipeline.load import column_types
from whileai_export.pipeline.reload import loader
from whileai_export.shared.errors import OptionError
from whileai_export.shared.findings import Finding
from whileai_export.shared.tally import Seen
from whileai_export_tests.cli.calling import call
from whileai_export_tests.versions.homes import Home, row, rows

SECRET = "the vault opens at a quarter past nine"
LEAKY = [{**row, "privileged": {"reference": SECRET}} for row in rows()]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home with one published simulation, its card as the project writes it."""
    home = Home(tmp_path / "home")
    home.add("desk", LEAKY)
    home.export("desk")
    for kind in ("sft", "preference"):
        place = home.published(kind, "desk")
        outputs = json.loads((place / "report.json").read_bytes())["outputs"]
        files = {o["format"]: [DataFile("train", Path(o["path"]).name)] for o in outputs}
        types = {o["format"]: column_types(o["columns"], o["format"]) for o in outputs}
        (place / "README.md").write_text(dataset_card(files, types, ""), "utf-8")
    return home


def checked(place: Path, *words: str, code: int = 0) -> str:
    done = call("check", place, *words)
    assert done.exit_code == code, done.output
    return done.output


def test_a_published_folder_is_checked_file_by_file_and_loaded(home: Home):
    place = home.published("sft", "desk")
    how = "loaded with datasets" if loader() else "by the first-chunk rules"
    lines = checked(place).splitlines()
    assert lines[1] == (
        "  openai  privileged_leak      4 rows checked, none quotes its own privileged block"
    )
    assert [line.split()[:2] for line in lines[2:5]] == [
        ["openai", "structure"],
        ["openai", "tool_schema"],
        ["openai", "secrets"],
    ]
    assert lines[10].startswith(
        f"  all     reload               8 rows, none comes back changed ({how}"
    )
    assert lines[11] == f"{place}: 2 files, 8 rows, as they were published"


def test_pairs_are_checked_in_the_same_way(home: Home):
    assert "8 conversations checked" in checked(home.published("preference", "desk"))


def test_a_file_that_was_changed_is_named_and_the_run_that_writes_it_again(home: Home):
    place = home.published("sft", "desk")
    file = place / "sft.trl.jsonl"
    file.write_bytes(file.read_bytes().replace(b"Found t1", b"Found T1"))
    lines = checked(place, code=1).splitlines()
    assert lines[-4].startswith(
        "  wrong    sft.trl.jsonl: it was changed since it was published: sha256 is "
    )
    assert lines[-3] == f"{place}: 2 files, 8 rows, not as they should be"
    assert lines[-1].endswith(" run desk")
    assert json.loads(checked(place, "--json", code=1))["reload"] == {}


def test_a_quote_that_was_put_into_a_file_is_a_leak(home: Home):
    file = home.published("sft", "desk") / "sft.openai.jsonl"
    file.write_bytes(file.read_bytes().replace(b"Found t1, attempt 0.", SECRET.encode()))
    told = checked(file.parent, code=1)
    assert "  wrong    sft.openai.jsonl: privileged_leak: 4 rows checked, 1 quotes its" in told
    assert SECRET not in told


def test_files_that_nobody_named_and_files_that_are_gone_are_told(home: Home):
    place = home.published("sft", "desk")
    (place / "sft.openai.jsonl").rename(place / "mine.jsonl")
    (place / "README.md").unlink()
    assert json.loads(checked(place, "--json", code=1))["wrong"] == [
        "sft.openai.jsonl: the file is gone",
        "mine.jsonl: report.json does not name it",
        "README.md: the file that declares the features is gone",
    ]


def test_what_comes_back_changed_is_a_warning_and_refused_where_that_is_asked(
    home: Home, monkeypatch: pytest.MonkeyPatch
):
    finding = Finding("reload", "trl $.reward", "1.0 comes back as 1", 0)
    seen = Seen(checked=8, count=1, named=[finding])
    monkeypatch.setattr(folder, "check_folder", lambda _: (seen, "loaded with datasets 5.2.0"))
    place = home.published("sft", "desk")
    assert (
        "  warning  reload: 8 rows, 1 comes back changed (loaded with datasets 5.2.0);"
        " trl $.reward: 1.0 comes back as 1\n"
    ) in checked(place)
    checked(place, "--strict", code=1)


def test_a_copy_elsewhere_has_no_private_rows_to_be_compared_with(home: Home, tmp_path: Path):
    copy = shutil.copytree(home.published("sft", "desk"), tmp_path / "copy")
    assert folder.staged_rows(home.published("sft", "desk")) is not None
    assert folder.staged_rows(copy) is None
    assert "privileged_leak      not checked" in checked(copy)


def test_the_private_rows_of_a_named_dataset_are_its_own(tmp_path: Path):
    home = Home(tmp_path / "home", "support")
    home.add("desk", [row("t")])
    home.export("desk")
    staged = tmp_path / "home/training_rows/support/desk.jsonl"
    assert folder.staged_rows(home.published("sft", "desk")) == staged


def test_a_version_is_read_by_another_command(home: Home):
    home.cut()
    with pytest.raises(OptionError, match=r"is a version; this reads it: .* verify v0001$"):
        folder.published(str(home.shelf.folder("v0001")))


def test_any_other_folder_or_file_is_none_of_these(home: Home, tmp_path: Path):
    other = tmp_path / "other"
    other.mkdir()
    for outputs in ({}, [1], [{"path": "a.jsonl"}]):
        (other / "report.json").write_text(json.dumps({"outputs": outputs}), "utf-8")
        assert folder.published(str(other)) is None
    assert folder.published(str(home.published("sft", "desk") / "sft.trl.jsonl")) is None


def test_a_folder_of_such_folders_names_one_of_them(home: Home):
    one = home.published("sft", "desk")
    for place in (home.path, home.path / "sft"):
        with pytest.raises(OptionError, match=rf"got a folder of such folders; .* check {one}$"):
            folder.published(str(place))


def test_a_folder_from_which_the_files_were_withdrawn_passes_no_check(home: Home):
    home.export("desk", min_reward=0.5)
    place = home.published("sft", "desk")
    for path in place.iterdir():
        path.unlink()
    (place / "report.json").write_text(json.dumps({"outputs": []}), "utf-8")
    told = f"{place}: no file is published here, the latest run had none to write\n"
    assert checked(place, code=1) == told


@pytest.mark.parametrize("text", ["{x", "[]", "{}"])
def test_a_damaged_report_of_published_files_is_told_with_what_writes_it_again(
    home: Home, text: str
):
    place = home.published("sft", "desk")
    (place / "report.json").write_text(text, "utf-8")
    said = checked(place, code=2)
    assert said.startswith(
        f"error: {place}/report.json: expected the report of published files, got a damaged file;"
    )
    assert said.endswith(" run desk\n")


def test_a_report_beside_a_simulation_is_somebody_elses(tmp_path: Path):
    (tmp_path / "report.json").write_text("{x", "utf-8")
    (tmp_path / "trajectories.jsonl").touch()
    assert folder.published(str(tmp_path)) is None
