from __future__ import annotations

import json
from pathlib import Path

import pytest

from whileai_export.cli.naming import simulation_of
from whileai_export_tests.cli.calling import call
from whileai_export_tests.versions.homes import Home, rows


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("/data/home/simulations/desk/trajectories.jsonl", "desk"),
        ("/data/home/simulations/desk/trajectories.jsonl.gz", "desk"),
        ("/data/home/simulations/desk", "desk"),
        ("/data/home/simulations/night.jsonl.zst", "night"),
        ("s3://bucket/simulations/desk/trajectories.jsonl", "desk"),
        ("/data/home/simulations/desk/other.jsonl", ""),
        ("/data/runs.jsonl", ""),
        ("/data/desk/trajectories.jsonl", ""),
    ],
)
def test_a_simulation_of_a_home_has_its_own_name_and_other_files_none(source: str, name: str):
    assert simulation_of(source, None) == name
    assert simulation_of(source, "mine") == "mine"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A simulation that the project has exported."""
    home = Home(tmp_path / "home")
    home.add("desk", rows())
    home.export("desk")
    return home


def ids(file: Path) -> list[str]:
    return [json.loads(line)["row_id"] for line in file.read_text("utf-8").splitlines()]


@pytest.mark.parametrize(("command", "kind"), [("export", "sft"), ("preference", "preference")])
def test_a_simulation_of_a_home_is_exported_under_the_ids_of_the_project(
    command: str, kind: str, home: Home, tmp_path: Path
):
    out = tmp_path / "out.jsonl"
    done = call(command, home.simulation("desk") / "trajectories.jsonl", "-o", out)
    assert done.exit_code == 0, done.output
    assert "  row ids              of the simulation desk\n" in done.output
    assert ids(out) == ids(home.published(kind, "desk") / f"{kind}.openai.jsonl")


def test_any_other_file_is_where_its_simulation_is_named(home: Home, tmp_path: Path):
    file, out = tmp_path / "runs.jsonl", tmp_path / "out.jsonl"
    file.write_bytes((home.simulation("desk") / "trajectories.jsonl").read_bytes())
    there = ids(home.published("sft", "desk") / "sft.openai.jsonl")
    told = json.loads(call("export", file, "-o", out, "--json").output)
    assert (told["simulation"], set(ids(out)) & set(there)) == (None, set())
    told = json.loads(call("export", file, "-o", out, "--simulation", "desk", "--json").output)
    assert (told["simulation"], ids(out)) == ("desk", there)


@pytest.mark.parametrize("command", ["export", "preference"])
def test_a_name_that_no_simulation_can_have_is_refused(command: str, tmp_path: Path):
    (tmp_path / "runs.jsonl").write_text("{}", "utf-8")
    done = call(command, tmp_path / "runs.jsonl", "--simulation", "a b")
    assert done.exit_code == 2
    assert done.output.startswith("error: simulation name: expected 1 to 128 of A-Z a-z 0-9 . _ -")


def test_a_folder_whose_name_no_simulation_can_have_gives_none(tmp_path: Path):
    assert simulation_of("/data/home/simulations/my desk/trajectories.jsonl", None) == ""
