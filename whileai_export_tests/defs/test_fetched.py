from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from whileai_export.defs.dataset import Dataset, DatasetOptions
from whileai_export.defs.export_toml import read_decisions
from whileai_export_tests.defs.homes import PROFILE, Project, Row, problem, rows
from whileai_export_tests.defs.test_sensor import Watcher

OPTIONS = DatasetOptions(simulations="night-*", store="memory://bucket")


@pytest.fixture
def remote(make: Callable[..., Project]) -> Project:
    return make(None, OPTIONS)


def upload(memory: Any, name: str, found: list[Row]) -> None:
    text = "".join(json.dumps(row) + "\n" for row in found)
    memory.pipe(f"/bucket/{name}/trajectories.jsonl", text.encode())
    memory.pipe(f"/bucket/{name}/profile.json", json.dumps(PROFILE).encode())


def test_a_url_in_export_toml_is_a_folder_and_a_pattern(tmp_path: Path):
    text = (
        '[dataset.a]\nsimulations = "s3://bucket/sims/night-*"\n'
        '[dataset.b]\nsimulations = "s3://bucket/sims/"\n[dataset.c]\n'
    )
    (tmp_path / "export.toml").write_text(text, "utf-8")
    found = read_decisions(tmp_path).datasets
    assert [(o.store, o.simulations) for o in found.values()] == [
        ("s3://bucket/sims", "night-*"),
        ("s3://bucket/sims", "*"),
        (None, "*"),
    ]


def test_what_is_new_or_changed_in_the_store_is_asked_for_once(memory: Any, remote: Project):
    for name in ("night-1", "other", "night 2"):
        upload(memory, name, rows())
    watcher = Watcher(remote, Dataset(None, OPTIONS))
    first = watcher.asked()
    assert [key.split(":")[0] for key in first] == ["night-1"]
    assert remote.instance.get_dynamic_partitions("simulation") == ["night-1"]
    assert watcher.asked() == []
    upload(memory, "night-1", rows(5))
    again = watcher.asked()
    assert [key.split(":")[0] for key in again] == ["night-1"]
    assert first != again


def test_a_tick_is_capped(memory: Any, remote: Project):
    for n in range(30):
        memory.pipe(f"/bucket/night-{n}.jsonl", b"{}\n")
    watcher = Watcher(remote, Dataset(None, OPTIONS))
    assert [len(watcher.asked()) for _ in range(3)] == [25, 5, 0]


def test_a_run_fetches_and_exports_and_takes_the_changed_bytes_next_time(
    memory: Any, remote: Project
):
    upload(memory, "night-1", rows())
    remote.register("night-1")
    assert remote.run("night-1").success
    assert remote.report("sft", "night-1")["counts"]["read"] == 8
    upload(memory, "night-1", rows(5))
    assert remote.run("night-1").success
    assert remote.report("sft", "night-1")["counts"]["read"] == 10


def test_one_that_has_vanished_is_named_and_nothing_is_touched(memory: Any, remote: Project):
    remote.register("night-1")
    assert problem(remote.run("night-1")) == "memory://bucket: holds no simulation night-1"
    assert remote.files() == set()


def test_a_store_that_cannot_be_listed_is_a_reason_to_skip(
    remote: Project, monkeypatch: pytest.MonkeyPatch
):
    options = DatasetOptions(store="nonsense://bucket")
    watcher = Watcher(remote, Dataset(None, options))
    result: Any = watcher.sensor(
        dg.build_sensor_context(instance=remote.instance),
        datasets=remote.definitions.resources["datasets"],
    )
    assert result.skip_message.startswith("nonsense://bucket: this kind of URL cannot be opened")


def test_what_a_run_is_at_work_on_is_asked_for_afterwards_only_if_it_is_due(
    memory: Any, remote: Project
):
    upload(memory, "night-1", rows())
    remote.register("night-1")
    run = remote.run("night-1").run_id
    remote.unend(run)
    watcher = Watcher(remote, Dataset(None, OPTIONS))
    said = watcher.tick()
    assert said.run_requests == []
    assert said.skip_reason is not None
    assert said.skip_reason.skip_message == (
        "1 simulation, none new or changed; 1 run has not ended: night-1"
    )
    remote.unend(run, "SUCCESS")
    assert watcher.asked() == []
    upload(memory, "night-1", rows(5))
    remote.unend(run)
    assert watcher.asked() == []
    remote.unend(run, "SUCCESS")
    assert [key.split(":")[0] for key in watcher.asked()] == ["night-1"]
