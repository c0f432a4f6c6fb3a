from __future__ import annotations

import importlib
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from whileai_export.defs.choices import Layer
from whileai_export.defs.current import digests, standing
from whileai_export.defs.dataset import Dataset, DatasetOptions
from whileai_export.defs.factory import pipeline
from whileai_export.defs.inputs import present_input
from whileai_export.defs.local import LocalProject
from whileai_export.defs.own_modules import file_digest, importable
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


def test_a_file_that_is_edited_or_gone_has_another_digest(tmp_path: Path, path: list[str]):
    file = tmp_path / "of_a_digest.py"
    seen = [file_digest("of_a_digest:read", tmp_path)]
    for text in (ADAPTER, "# edited" + ADAPTER):
        file.write_text(text, "utf-8")
        importlib.invalidate_caches()
        seen.append(file_digest("of_a_digest:read", tmp_path))
    assert len(set(seen)) == 3
    assert file_digest("no.such.package:read", tmp_path) == seen[0]


def test_rows_that_were_read_by_an_edited_adapter_are_stale(project: Project, path: list[str]):
    file = project.home / "of_an_edit.py"
    file.write_text(ADAPTER, "utf-8")
    project.add("own", [{"q": "Where is A7?", "a": "There."}])
    options = DatasetOptions((Layer("[defaults]", {"adapter": "of_an_edit:read"}),))
    dataset = Dataset(project.name, options)
    folders = Datasets(home=str(project.home)).of(project.name)
    definitions = pipeline(project.name, options, Datasets(home=str(project.home)))
    assert replace(project, definitions=definitions).run("own").success
    now = present_input(folders, "own")
    assert standing(folders, "own", now, digests(dataset, folders)) == "current"
    file.write_text("# edited" + ADAPTER, "utf-8")
    assert standing(folders, "own", now, digests(dataset, folders)) == "due"
