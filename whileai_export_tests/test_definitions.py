from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from whileai_export.definitions import defs

ROOT = Path(__file__).parents[1]


def test_the_assets_and_their_job_are_defined():
    graph = defs.resolve_asset_graph()
    assert {key.to_user_string() for key in graph.get_all_asset_keys()} == {
        "dataset_version",
        "graded_simulations",
        "training_rows",
        "sft_jsonl",
        "preference_jsonl",
    }
    assert defs.resolve_job_def("export_simulation").partitions_def is not None


def test_published_files_can_be_checked_alone():
    keys = {key.to_user_string() for key in defs.resolve_asset_graph().asset_check_keys}
    assert "sft_jsonl:published_file_intact" in keys
    assert "preference_jsonl:published_file_intact" in keys


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [[], ["-w", "workspace.yaml"]])
def test_dagster_loads_the_project_from_its_workspace(tmp_path: Path, arguments: list[str]):
    done = subprocess.run(
        [sys.executable, "-m", "dagster", "definitions", "validate", *arguments],
        cwd=ROOT,
        env={**os.environ, "DAGSTER_HOME": str(tmp_path), "WHILEAI_EXPORT_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "code location whileai_export" in done.stderr + done.stdout
    assert "PreviewWarning" not in done.stderr
