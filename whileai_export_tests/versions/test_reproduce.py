from __future__ import annotations

import pytest

from whileai_export.versions import reproduce
from whileai_export_tests.versions.homes import Home, rows


@pytest.mark.parametrize("test", [0.0, 0.4])
def test_a_version_comes_out_again_byte_for_byte(home: Home, test: float) -> None:
    home.add("shop", rows(30))
    home.export("shop", formats=("openai", "trl-completion"))
    home.cut(test)
    found = reproduce(home.shelf, "v0001", home.simulation)
    assert found["same"] is True
    assert found["inputs"] == []
    assert all(file["same"] for file in found["files"])


def test_a_given_system_prompt_is_given_again(home: Home) -> None:
    home.export("desk", prompt="Be exact.")
    home.cut()
    assert reproduce(home.shelf, "v0001", home.simulation)["same"] is True


def test_the_input_that_is_not_the_same_is_named(home: Home) -> None:
    home.add("shop", rows(2))
    home.export("shop")
    home.cut()
    home.add("shop", rows(3))
    found = reproduce(home.shelf, "v0001", home.simulation)
    assert [entry["simulation"] for entry in found["inputs"]] == ["shop"]
    assert found["inputs"][0]["problem"].startswith("its rows have sha256 ")
    assert {file["same"] for file in found["files"] if "desk" in file["path"]} == {True}
    assert {file["why"] for file in found["files"] if "shop" in file["path"]} == {
        "an input is not the same"
    }


def test_facts_beside_the_rows_are_an_input(home: Home) -> None:
    home.cut()
    home.add("desk", rows(), policy="Be long.")
    (entry,) = reproduce(home.shelf, "v0001", home.simulation)["inputs"]
    assert entry["problem"].startswith("the facts beside its rows (profile.json")


def test_a_simulation_that_is_gone_is_named(home: Home) -> None:
    home.cut()
    (home.simulation("desk") / "trajectories.jsonl").unlink()
    (entry,) = reproduce(home.shelf, "v0001", home.simulation)["inputs"]
    assert entry["problem"] == "simulation desk: expected one file of rows, found 0"


def test_the_version_is_not_touched(home: Home) -> None:
    made = home.cut()
    before = {p: p.stat().st_mtime_ns for p in made.folder.rglob("*")}
    reproduce(home.shelf, "v0001", home.simulation)
    assert {p: p.stat().st_mtime_ns for p in made.folder.rglob("*")} == before
