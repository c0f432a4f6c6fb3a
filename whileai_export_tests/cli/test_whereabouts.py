from __future__ import annotations

import json
from pathlib import Path

from whileai_export.cli.whereabouts import one_inside, report_in


def published(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "report.json").write_text(json.dumps({"outputs": []}), "utf-8")
    return folder


def test_a_report_that_names_files_makes_a_published_folder(tmp_path: Path):
    assert report_in(published(tmp_path / "desk")) == {"outputs": []}
    assert report_in(tmp_path) is None


def test_below_a_home_a_folder_of_training_rows_is_named_before_any_other(tmp_path: Path):
    published(tmp_path / "preference" / "desk")
    one = published(tmp_path / "sft" / "support" / "desk")
    assert one_inside(tmp_path) == one
    assert one_inside(tmp_path / "sft") == one


def test_simulations_are_named_where_nothing_is_published(tmp_path: Path):
    simulation = tmp_path / "simulations" / "desk"
    simulation.mkdir(parents=True)
    (simulation / "trajectories.jsonl").touch()
    assert one_inside(tmp_path) == simulation
    assert one_inside(simulation) is None


def test_in_an_empty_folder_there_is_none(tmp_path: Path):
    assert one_inside(tmp_path) is None
