from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from whileai_export.defs.choices import Layer
from whileai_export.defs.dataset import DatasetOptions
from whileai_export.defs.factory import pipeline
from whileai_export.defs.local import LocalProject
from whileai_export.defs.own_modules import importable
from whileai_export.defs.resources import Datasets
from whileai_export.pipeline.job import resolve_adapter
from whileai_export_tests.defs.homes import Project

ADAPTER = """
def read(row):
    return {"prompt": row["q"], "steps": [], "final_text": row["a"], "reward": 1.0}
"""


@pytest.fixture
def path(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    found = sys.path.copy()
    monkeypatch.setattr(sys, "path", found)
    return found


def test_a_step_finds_an_adapter_beside_export_toml(project: Project, path: list[str]):
    (project.home / "of_a_step.py").write_text(ADAPTER, "utf-8")
    project.add("own", [{"q": "Where is A7?", "a": "There."}])
    options = DatasetOptions((Layer("[defaults]", {"adapter": "of_a_step:read"}),))
    definitions = pipeline(project.name, options, Datasets(home=str(project.home)))
    assert replace(project, definitions=definitions).run("own").success


def test_a_command_finds_it_there_too(tmp_path: Path, path: list[str]):
    (tmp_path / "of_a_command.py").write_text(ADAPTER, "utf-8")
    LocalProject(tmp_path)
    assert callable(resolve_adapter("of_a_command:read"))


def test_it_hides_no_module(tmp_path: Path, path: list[str]):
    importable(tmp_path)
    importable(tmp_path)
    assert path[-1] == str(tmp_path)
    assert path.count(str(tmp_path)) == 1
