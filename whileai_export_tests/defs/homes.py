"""A home with a project in it, small simulations, and what a run of them did."""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from whileai_export.defs.resources import Folders
from whileai_export.defs.way_on import problem_of

SAMPLES = Path(__file__).parents[3] / "shared" / "samples"
SECRET = "the vault opens at a quarter past nine"
PROFILE = {
    "policy": "Be brief.",
    "tools": [{"type": "function", "function": {"name": "look", "parameters": {}}}],
}
Row = dict[str, Any]


def row(task: str, rollout: int, reward: float | None, reply: str = "", **more: Any) -> Row:
    """One rollout with one tool call; its privileged block holds the secret."""
    return {
        "scenario_id": task,
        "rollout_index": rollout,
        "reward": reward,
        "prompt": f"Please look up {task}.",
        "steps": [{"tool": "look", "arguments": {"key": task}, "result": {"found": True}}],
        "final_text": reply or f"Found {task}, attempt {rollout}.",
        "privileged": {"reference": SECRET},
        **more,
    }


def rows(tasks: int = 4) -> list[Row]:
    """Two rollouts a task: one passes, one fails."""
    return [row(f"t{t}", k, 1.0 - k) for t in range(tasks) for k in range(2)]


def leaking(tasks: int = 4) -> list[Row]:
    """The same with one passing reply that quotes its block."""
    return [*rows(tasks)[:-2], row(f"t{tasks - 1}", 0, 1.0, f"I know that {SECRET}."),
            rows(tasks)[-1]]  # fmt: skip


@dataclass
class Project:
    """The definitions of a dataset over a home, and what happened in it."""

    home: Path
    instance: dg.DagsterInstance
    definitions: dg.Definitions
    folders: Folders
    name: str | None = None

    def add(self, simulation: str, rows: list[Row], profile: Row | None = PROFILE) -> Path:
        folder = self.home / "simulations" / simulation
        folder.mkdir(parents=True, exist_ok=True)
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / "trajectories.jsonl").write_text(text, "utf-8")
        if profile is not None:
            (folder / "profile.json").write_text(json.dumps(profile), "utf-8")
        return self.register(simulation)

    def sample(self, simulation: str) -> Path:
        source = SAMPLES / "simulations" / simulation
        if not source.is_dir():
            pytest.skip(f"the sample simulation {simulation} is not beside this checkout")
        folder = self.home / "simulations" / simulation
        folder.mkdir(parents=True)
        for name in ("trajectories.jsonl", "profile.json"):
            shutil.copyfile(source / name, folder / name)
        return self.register(simulation)

    def register(self, simulation: str) -> Path:
        partitions = f"{self.name}_simulation" if self.name else "simulation"
        self.instance.add_dynamic_partitions(partitions, [simulation])
        return self.home / "simulations" / simulation

    def run(
        self, simulation: str, *only: str, **config: dict[str, Any]
    ) -> dg.ExecuteInProcessResult:
        """The graph, or only some of its assets, for one simulation."""
        prefix = [self.name] if self.name else []
        job = f"{self.name}_export_simulation" if self.name else "export_simulation"
        return self.definitions.resolve_job_def(job).execute_in_process(
            partition_key=simulation,
            instance=self.instance,
            raise_on_error=False,
            asset_selection=[dg.AssetKey([*prefix, name]) for name in only] or None,
            run_config={
                "ops": {
                    "__".join([*prefix, name]): {"config": values}
                    for name, values in config.items()
                },
                "loggers": {"console": {"config": {"log_level": "CRITICAL"}}},
            },
        )

    def unend(self, run_id: str, status: str = "STARTED", **tags: str) -> None:
        """Let a run be one that has not ended, as it is in its midst, or as a kill leaves it."""
        storage = self.instance.run_storage
        (run,) = storage.get_runs(dg.RunsFilter([run_id]))
        storage.delete_run(run_id)
        told = {name.replace("__", "/"): value for name, value in tags.items()}
        unended = run.with_status(dg.DagsterRunStatus[status])
        storage.add_run(unended.with_tags({**run.tags, **told}))

    def stage_a_leak(self, simulation: str) -> None:
        """Stage clean rows, then put a quote into one of them that no digest tells."""
        self.add(simulation, rows())
        self.run(simulation, "graded_simulations", "training_rows")
        staged = self.folders.training_rows(simulation)
        record = self.folders.training_rows_report(simulation)
        text = staged.read_text("utf-8").replace("Found t0, attempt 0.", f"Well, {SECRET}.")
        staged.write_text(text, "utf-8")
        report = json.loads(record.read_text("utf-8"))
        report["outputs"][0]["sha256"] = hashlib.sha256(text.encode()).hexdigest()
        record.write_text(json.dumps(report), "utf-8")

    def report(self, kind: str, simulation: str) -> dict[str, Any]:
        folder = self.folders.published(kind, simulation)
        return json.loads((folder / "report.json").read_text("utf-8"))

    def files(self) -> set[str]:
        """Everything under the home but the simulations, as paths."""
        found = (path.relative_to(self.home) for path in self.home.rglob("*") if path.is_file())
        return {path.as_posix() for path in found if path.parts[0] != "simulations"}


def checks(result: dg.ExecuteInProcessResult) -> dict[str, bool]:
    """Every check that has a result, as ``asset/check``."""
    return {
        f"{e.asset_key.path[-1]}/{e.check_name}": e.passed
        for e in result.get_asset_check_evaluations()
    }


def check(result: dg.ExecuteInProcessResult, asset: str, name: str) -> dg.AssetCheckEvaluation:
    """The result of one check of one asset."""
    found = result.get_asset_check_evaluations()
    return next(e for e in found if (e.asset_key.path[-1], e.check_name) == (asset, name))


def materialized(result: dg.ExecuteInProcessResult) -> set[str]:
    """The assets that were materialized."""
    return {
        event.asset_key.path[-1]
        for event in result.get_asset_materialization_events()
        if event.asset_key
    }


def problem(result: dg.ExecuteInProcessResult) -> str:
    """What the first failed step said was wrong."""
    failure = result.get_step_failure_events()[0].step_failure_data
    assert failure.user_failure_data is not None, failure.error
    return problem_of(failure.user_failure_data.description)
