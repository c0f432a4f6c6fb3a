from __future__ import annotations

import json
from pathlib import Path

import pytest

from whileai_export_tests.cli.calling import PretendProject, call

ADAPTER = f"{__name__}:turned"


def turned(row: dict) -> dict:
    """What an adapter makes of rows in a shape of somebody's own."""
    return {"prompt": row["q"], "steps": [], "final_text": row["a"], "reward": 1.0}


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "own.jsonl"
    path.write_text('{"q": "Where is A7?", "a": "In Ghent."}\n', "utf-8")
    return path


@pytest.mark.parametrize("looking", ["inspect", "preview", "check"])
def test_what_only_looks_reads_rows_by_the_adapter_too(own: Path, looking: str):
    assert call(looking, own).exit_code == (0 if looking == "inspect" else 2)
    done = call(looking, own, "--adapter", ADAPTER, "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    if looking == "preview":
        assert found[0]["messages"][-1]["content"] == "In Ghent."
    else:
        assert found.get("rows", found)["findings"]["readable"]["count"] == 0


def test_the_export_that_inspect_prints_has_the_adapter(own: Path):
    told = call("inspect", own, "--adapter", ADAPTER).output.rstrip()
    assert told.endswith(f" export {own} --adapter {ADAPTER} --system-prompt FILE")


def test_add_looks_at_rows_by_the_adapter_of_export_toml(own: Path, tmp_path: Path):
    project = PretendProject(tmp_path, adapters={"mine": ADAPTER})
    assert call("add", own, "--name", "other", project=project).exit_code == 2
    done = call("add", own, "--name", "mine", "--json", project=project)
    assert done.exit_code == 0, done.output
    assert project.names == ["mine"]
    assert not [said for said in json.loads(done.stdout)["warnings"] if "adapter" in said]


def test_add_says_that_a_run_needs_the_adapter_in_export_toml(own: Path, tmp_path: Path):
    project = PretendProject(tmp_path)
    done = call("add", own, "--name", "mine", "--adapter", ADAPTER, "--json", project=project)
    assert done.exit_code == 0, done.output
    first = f'write adapter = "{ADAPTER}" into [defaults] of export.toml, then run'
    assert f"{first} it" in json.loads(done.stdout)["warnings"]
    again = call("add", own, "--name", "mine", "--adapter", ADAPTER, "--replace", project=project)
    assert f"next: {first} the project on it:" in again.output
