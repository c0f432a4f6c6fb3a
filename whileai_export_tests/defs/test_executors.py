from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest

from whileai_export.defs.executors import executor
from whileai_export.defs.export_toml import read_decisions
from whileai_export.shared.errors import OptionError
from whileai_export_tests.defs.homes import PROFILE, rows

ROOT = Path(__file__).parents[2]
SEVERAL = '[executor]\nname = "multiprocess"\nconfig = { max_concurrent = 2 }\n'


def named(home: Path, text: str) -> str:
    (home / "export.toml").write_text(text, "utf-8")
    return read_decisions(home).executor.name


@pytest.mark.parametrize(
    ("text", "workers"),
    [("", 1), ("[executor]\nworkers = 4\n", 4), (SEVERAL + "workers = 2\n", 2)],
)
def test_a_home_says_how_many_processes_a_step_may_use(tmp_path: Path, text: str, workers: int):
    (tmp_path / "export.toml").write_text(text, "utf-8")
    assert read_decisions(tmp_path).workers == workers


@pytest.mark.parametrize("value", ["0", "'2'", "true", "1.5"])
def test_any_other_number_of_processes_is_refused(tmp_path: Path, value: str):
    (tmp_path / "export.toml").write_text(f"[executor]\nworkers = {value}\n", "utf-8")
    with pytest.raises(OptionError, match="line 2: workers: expected a whole number from 1, got "):
        read_decisions(tmp_path)


def test_steps_run_in_this_process_where_nothing_is_said(tmp_path: Path):
    assert read_decisions(tmp_path).executor is dg.in_process_executor
    assert named(tmp_path, "[defaults]\n") == "in_process"


def test_a_home_names_another(tmp_path: Path):
    assert named(tmp_path, SEVERAL) == "multiprocess"


def test_one_of_a_plugin_is_named_by_its_place():
    assert executor("dagster:multi_or_in_process_executor") is dg.multi_or_in_process_executor


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[executor]\nname = 'celery'\n", "line 2: name: expected in_process, multiprocess, or"),
        ("[executor]\nname = 'dagster:Failure'\n", "line 2: name: expected in_process"),
        ("[executor]\nname = 3\n", "line 2: name: expected text, got 3"),
        ("[executor]\nnam = 'multiprocess'\n", "line 2: nam: no such key; did you mean 'name'"),
        ("[executor]\nname = 'multiprocess'\nconfig = { workers = 2 }\n", "line 3: config: "),
        ("executor = 'multiprocess'\n", "line 1: executor: expected a table, got str"),
    ],
)
def test_what_is_none_is_refused_with_its_line(tmp_path: Path, text: str, said: str):
    with pytest.raises(OptionError, match=said):
        named(tmp_path, text)


def test_a_config_that_does_not_fit_is_said_before_a_run():
    with pytest.raises(OptionError, match="workers"):
        executor("multiprocess", {"workers": 2})


def test_all_datasets_are_carried_by_the_same(tmp_path: Path):
    (tmp_path / "export.toml").write_text(f"{SEVERAL}[dataset.a]\n[dataset.b]\n", "utf-8")
    code = (
        "from whileai_export.definitions import defs\n"
        "for name in ('a_export_simulation', 'b_export_simulation', 'a_cut_version'):\n"
        "    print(name, defs.resolve_job_def(name).executor_def.name)"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        cwd=ROOT,
        env={**os.environ, "WHILEAI_EXPORT_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert done.stdout.splitlines() == [
        "a_export_simulation multiprocess",
        "b_export_simulation multiprocess",
        "a_cut_version multiprocess",
    ]


@pytest.mark.slow
def test_the_graph_runs_in_processes_of_its_own(tmp_path: Path):
    home, instance = tmp_path / "home", tmp_path / "instance"
    folder = home / "simulations" / "night"
    folder.mkdir(parents=True)
    instance.mkdir()
    (home / "export.toml").write_text(SEVERAL, "utf-8")
    text = "".join(json.dumps(row) + "\n" for row in rows())
    (folder / "trajectories.jsonl").write_text(text, "utf-8")
    (folder / "profile.json").write_text(json.dumps(PROFILE), "utf-8")
    with dg.DagsterInstance.from_config(str(instance)) as kept:
        kept.add_dynamic_partitions("simulation", ["night"])
    select = "graded_simulations,training_rows,sft_jsonl,preference_jsonl"
    done = subprocess.run(
        [sys.executable, "-m", "dagster", "asset", "materialize", "-m",
         "whileai_export.definitions", "--select", select, "--partition", "night"],
        cwd=ROOT,
        env={**os.environ, "DAGSTER_HOME": str(instance), "WHILEAI_EXPORT_HOME": str(home),
             "DAGSTER_DISABLE_TELEMETRY": "1"},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (home / "sft" / "night" / "sft.openai.jsonl").is_file()
    with dg.DagsterInstance.from_config(str(instance)) as kept:
        run = kept.get_runs()[0]
        assert run.status == dg.DagsterRunStatus.SUCCESS
        started = kept.get_records_for_run(
            run.run_id, of_type=dg.DagsterEventType.STEP_WORKER_STARTED
        ).records
    assert {str(entry.event_log_entry.step_key) for entry in started} >= set(select.split(","))
