"""Three hundred partitions: a tick of the sensor, the night's decision, loading the definitions.

python benchmarks/partitions.py [--partitions N]
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import dagster as dg
import places

ROWS = 20
LOAD = """\
import time; began = time.perf_counter()
import dagster; imported = time.perf_counter()
from whileai_export.definitions import defs
defs.resolve_asset_graph(); defs.resolve_job_def("export_simulation")
print(imported - began, time.perf_counter() - imported)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--partitions", type=int, default=300)
    count = parser.parse_args().partitions
    places.measure_this_checkout()
    sys.path.insert(0, str(places.HERE.parent))
    warnings.simplefilter("ignore")
    os.environ["DAGSTER_DISABLE_TELEMETRY"] = "1"
    with tempfile.TemporaryDirectory() as folder, dg.instance_for_test(temp_dir=folder) as kept:
        home = Path(folder) / "home"
        simulations(home, count)
        for name, seconds in measured(home, kept, count).items():
            print(f"{name:<58}{seconds:>8.2f} s")


def measured(home: Path, instance: dg.DagsterInstance, count: int) -> dict[str, float]:
    """Seconds of everything that happens without a hand, in the order in which it does."""
    from whileai_export.defs.factory import pipeline
    from whileai_export.defs.resources import Datasets

    resource = Datasets(home=str(home))
    defs = pipeline(resource=resource)
    found: dict[str, float] = {}
    cursor, ticks = None, []
    while True:
        seconds, result = timed(lambda: tick(defs, instance, resource, cursor))  # noqa: B023
        cursor = result.cursor
        if not result.run_requests:
            break
        ticks.append(seconds)
        instance.add_dynamic_partitions(
            "simulation", [r.partition_key for r in result.run_requests]
        )
    found[f"sensor, a tick that asks for 25 of {count} (longest)"] = max(ticks)
    found[f"sensor, a tick with {count} known and none new"] = seconds
    seconds, requests = timed(lambda: night(defs, instance, resource))
    assert len(requests) == count
    found[f"nightly, {count} of {count} due"] = seconds
    exported(defs, instance, home, count)
    seconds, reason = timed(lambda: night(defs, instance, resource))
    assert isinstance(reason, dg.SkipReason), reason
    found[f"nightly, {count} of {count} current"] = seconds
    loads = [loaded(home) for _ in range(3)]
    found["definitions, importing dagster"] = min(first for first, _ in loads)
    found["definitions, loading ours"] = min(second for _, second in loads)
    return found


def simulations(home: Path, count: int) -> None:
    """Small ones: what is timed is what grows with their number."""
    source = places.simulation(ROWS).read_text("utf-8")
    for n in range(count):
        folder = home / "simulations" / name_of(n)
        folder.mkdir(parents=True)
        (folder / "trajectories.jsonl").write_text(source, "utf-8")
        (folder / "profile.json").write_text(json.dumps({"policy": "Be brief."}), "utf-8")


def tick(defs: dg.Definitions, instance: Any, resource: Any, cursor: str | None) -> Any:
    sensor = defs.resolve_sensor_def("new_simulations")
    with dg.build_sensor_context(
        instance=instance, cursor=cursor, resources={"datasets": resource}
    ) as context:
        return sensor(context)


def night(defs: dg.Definitions, instance: Any, resource: Any) -> Any:
    schedule = defs.resolve_schedule_def("nightly")
    with dg.build_schedule_context(
        instance=instance,
        scheduled_execution_time=datetime(2026, 5, 4, 2, tzinfo=UTC),
        resources={"datasets": resource},
    ) as context:
        return schedule(context)


def exported(defs: dg.Definitions, instance: dg.DagsterInstance, home: Path, count: int) -> None:
    """One is exported; as all are of the same bytes, its files stand for every other's too."""
    job = defs.resolve_job_def("export_simulation")
    quiet = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
    assert job.execute_in_process(
        partition_key=name_of(0), instance=instance, run_config=quiet
    ).success
    for n in range(1, count):
        for suffix in (".jsonl", ".report.json"):
            rows = home / "training_rows"
            shutil.copy(rows / (name_of(0) + suffix), rows / (name_of(n) + suffix))
        for kind in ("sft", "preference"):
            shutil.copytree(home / kind / name_of(0), home / kind / name_of(n))


def name_of(n: int) -> str:
    return f"night-{n:04}"


def loaded(home: Path) -> tuple[float, float]:
    """Seconds in a new process: importing Dagster, then our definitions."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", LOAD],
        env={**os.environ, "WHILEAI_EXPORT_HOME": str(home)},
        capture_output=True,
        text=True,
        check=True,
    )
    first, second = done.stdout.split()
    return float(first), float(second)


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    result = work()
    return time.perf_counter() - began, result


if __name__ == "__main__":
    main()
