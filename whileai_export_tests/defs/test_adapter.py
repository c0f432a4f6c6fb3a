from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from whileai_export.defs.choices import Layer
from whileai_export.defs.dataset import DatasetOptions
from whileai_export.defs.factory import pipeline
from whileai_export.defs.local import LocalProject
from whileai_export.defs.resources import Datasets
from whileai_export_tests.defs.homes import Project, materialized

ADAPTER = {"adapter": f"{__name__}:turned"}


def turned(row: dict) -> dict:
    """What an adapter makes of rows in a shape of somebody's own."""
    return {"prompt": row["q"], "steps": [], "final_text": row["a"], "reward": 1.0}


@pytest.mark.parametrize("decided", [True, False], ids=["export_toml", "one_run"])
def test_rows_of_a_shape_of_ones_own_go_all_the_way(project: Project, decided: bool):
    project.add("own", [{"q": f"Where is {n}?", "a": "There."} for n in range(3)])
    assert materialized(project.run("own")) == set()
    if decided:
        options = DatasetOptions((Layer("[defaults]", ADAPTER),))
        definitions = pipeline(project.name, options, Datasets(home=str(project.home)))
        result = replace(project, definitions=definitions).run("own")
    else:
        result = project.run("own", graded_simulations=ADAPTER, training_rows=ADAPTER)
    assert result.success
    assert project.report("sft", "own")["n"] == 3


@pytest.mark.parametrize(
    ("decided", "adapter"),
    [
        ("", None),
        ('[defaults]\nadapter = "a:b"\n', "a:b"),
        ('[defaults]\nadapter = "a:b"\n[dataset.own]\nadapter = "c:d"\n', "c:d"),
        ('[defaults]\nadapter = "a:b"\n[dataset.own]\nadapter = "none"\n', None),
        ('[dataset.own]\nsimulations = "x-*"\nadapter = "c:d"\n', None),
    ],
)
def test_the_adapter_of_a_simulation_is_that_of_the_dataset_that_takes_it(
    tmp_path: Path, decided: str, adapter: str | None
):
    (tmp_path / "export.toml").write_text(decided, "utf-8")
    assert LocalProject(tmp_path).adapter("mine") == adapter
