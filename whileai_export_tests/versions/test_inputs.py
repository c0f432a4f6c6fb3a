from __future__ import annotations

from pathlib import Path

import pytest

from whileai_export.shared.errors import SourceError
from whileai_export.versions.inputs import option_changes, present, rows_in
from whileai_export_tests.versions.homes import Home


def test_a_simulation_is_registered_and_made_again_by_the_same_digests(home: Home) -> None:
    inputs = pytest.importorskip("whileai_export.defs.inputs")
    resources = pytest.importorskip("whileai_export.defs.resources")
    registered = inputs.present_input(resources.Folders(home.path), "desk").identity()
    assert present(home.simulation("desk")) == registered


def test_a_simulation_may_be_one_file(tmp_path: Path) -> None:
    file = tmp_path / "desk.jsonl"
    file.write_text("{}\n")
    bare = present(file)
    (tmp_path / "desk.meta.json").write_text("{}")
    assert bare["facts_sha256"] == ""
    assert present(file)["facts_sha256"] != ""
    assert present(file)["sha256"] == bare["sha256"]


def test_a_simulation_without_rows_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="expected one file of rows, found 0"):
        rows_in(tmp_path)


def test_the_manifest_says_every_step_of_an_input(home: Home) -> None:
    (entry,) = home.cut().manifest["inputs"]
    assert entry["simulation"] == "desk"
    assert entry["sha256"] == present(home.simulation("desk"))["sha256"]
    assert {name: step["run_id"] for name, step in entry["steps"].items()} == {
        "training_rows": "run-1", "sft": "run-1", "preference": "run-1"}  # fmt: skip
    assert entry["steps"]["sft"]["rows"] == {"openai": 4, "trl": 4}
    assert entry["steps"]["training_rows"]["prompt_given"] is False


def test_an_option_that_many_simulations_changed_is_said_once() -> None:
    def manifest(**rewards: float) -> dict[str, object]:
        inputs = [
            {"simulation": name, "steps": {"sft": {"options": {"min_reward": reward}}}}
            for name, reward in rewards.items()
        ]
        return {"inputs": inputs, "split": {"test": 0}}

    old = manifest(a=0.5, b=0.5, c=0.5, gone=0.5)
    assert option_changes(old, manifest(a=1.0, b=1.0, c=0.5, new=1.0)) == [
        {
            "step": "sft",
            "option": "min_reward",
            "from": 0.5,
            "to": 1.0,
            "simulations": ["a", "b"],
            "of": 3,
        }
    ]


def test_other_evaluation_files_are_another_option() -> None:
    def manifest(*files: str) -> dict[str, object]:
        held = {"holdout": dict.fromkeys(files, "0")} if files else {}
        steps = {"sft": {"options": {}, **held}}
        return {"inputs": [{"simulation": "a", "steps": steps}], "split": {"test": 0}}

    (change,) = option_changes(manifest(), manifest("eval.jsonl"))
    assert (change["option"], change["from"], change["to"]) == (
        "holdout",
        None,
        {"eval.jsonl": "0"},
    )
