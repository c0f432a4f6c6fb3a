from __future__ import annotations

import json
import signal
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from whileai_export.defs import pages
from whileai_export.defs.local import LocalProject
from whileai_export.demo import Simulation, parcel_desk, workshop_desk
from whileai_export.export import save_simulation
from whileai_export.pipeline import workers
from whileai_export.shared.errors import OptionError, SourceError
from whileai_export.shared.project import Step
from whileai_export.shared.watching import watched


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalProject]:
    monkeypatch.setenv("WHILEAI_EXPORT_HOME", str(tmp_path / "home"))
    # The project sets its own; this one is only remembered, to be put back.
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path))
    monkeypatch.setenv("DAGSTER_DISABLE_TELEMETRY", "1")
    found = LocalProject.here()
    yield found
    found.instance.dispose()


def ran(project: LocalProject, simulation: Simulation, **settings: str) -> dict[str, Step]:
    save_simulation(simulation, project.folder(simulation.name))
    project.register(simulation.name)
    return {step.asset: step for step in project.run(simulation.name, settings)}


def test_a_clean_simulation_is_written_step_by_step(project: LocalProject):
    steps = ran(project, workshop_desk())
    assert [(name, step.state) for name, step in steps.items()] == [
        ("graded_simulations", "written"),
        ("training_rows", "written"),
        ("sft_jsonl", "written"),
        ("preference_jsonl", "written"),
    ]
    assert [Path(file).name for file in steps["sft_jsonl"].files] == [
        "sft.openai.jsonl",
        "sft.trl.jsonl",
    ]
    assert steps["sft_jsonl"].report["counts"]["written"] == 28


def test_a_leaking_one_is_refused_and_publishes_nothing(project: LocalProject):
    steps = ran(project, parcel_desk())
    refused = steps["training_rows"]
    assert (refused.state, refused.code) == ("refused", "privileged_leak")
    assert refused.report["findings"]["privileged_leak"]["count"] == 3
    assert (steps["sft_jsonl"].state, steps["preference_jsonl"].state) == ("not run", "not run")
    assert not (project.home / "sft" / "parcel_desk").exists()


def test_settings_reach_the_steps(project: LocalProject):
    steps = ran(project, parcel_desk(), on_leak="quarantine", max_quarantined="0.1")
    assert steps["sft_jsonl"].state == "written"
    assert steps["training_rows"].report["counts"]["quarantined"] == 3
    assert steps["training_rows"].quarantine == str(project.home / "quarantine/parcel_desk.jsonl")
    assert steps["sft_jsonl"].quarantine == ""


@pytest.mark.parametrize("decided", [True, False])
def test_several_processes_write_the_same(
    project: LocalProject, monkeypatch: pytest.MonkeyPatch, decided: bool
):
    steps = ran(project, workshop_desk())
    monkeypatch.setattr("whileai_export.pipeline.run.CHUNK_BYTES", 4096)
    monkeypatch.setattr("whileai_export.pipeline.run.BATCH_BYTES", 4096)
    started: list[int] = []
    pool = workers.ProcessPoolExecutor
    monkeypatch.setattr(workers, "ProcessPoolExecutor", lambda n, *given: (
        started.append(n), pool(n, *given))[1])  # fmt: skip
    if decided:
        (project.home / "export.toml").write_text("[executor]\nworkers = 2\n", "utf-8")
        project = LocalProject.here()
    again = {s.asset: s for s in project.run("workshop_desk", {}, None if decided else 2)}
    assert started == [2] * 5  # pairs are found by one pass and written by another
    for asset in ("training_rows", "sft_jsonl", "preference_jsonl"):
        assert again[asset].report["outputs"] == steps[asset].report["outputs"]
        assert again[asset].report["counts"] == steps[asset].report["counts"]


def test_what_the_latest_run_was_given_beside_what_is_configured(project: LocalProject):
    ran(project, workshop_desk(), min_reward="1.0")
    assert project.own_options("workshop_desk") == {"min_reward": 1.0}
    assert [step.state for step in project.run("workshop_desk", {})][-1] == "written"
    assert project.own_options("workshop_desk") == {}


def test_whoever_watches_is_told_of_every_step(project: LocalProject):
    told: dict[str, int] = {}
    with watched(lambda step: lambda rows, done, total: told.update({step: rows})):
        ran(project, workshop_desk())
    assert told == {
        "graded_simulations": 48,
        "training_rows": 48,
        "sft_jsonl": 48,
        "preference_jsonl": 48,
    }


def test_what_is_run_stands_on_the_persistent_instance(project: LocalProject):
    ran(project, workshop_desk())
    again = LocalProject(project.home)
    assert again.simulations() == ["workshop_desk"]
    assert len(again.instance.get_runs()) == 1
    again.instance.dispose()


def test_settings_that_mean_nothing_are_refused_and_leave_no_trace(project: LocalProject):
    with pytest.raises(OptionError, match="--set on_leak: expected one of refuse, quarantine"):
        project.check("workshop_desk", {"on_leak": "bogus"})
    assert not project.home.exists()


def test_a_version_is_cut_of_what_is_published(project: LocalProject):
    ran(project, workshop_desk())
    (made,) = project.cut()
    assert (made["dataset"], made["version"], made["problem"]) == (None, "v0001", "")
    with pytest.raises(OptionError, match="there is no dataset 'other'"):
        project.cut("other")


def test_a_name_that_is_no_plain_name_is_refused(project: LocalProject):
    with pytest.raises(SourceError, match="simulation name: expected"):
        project.folder("../outside")


def test_the_instance_is_private_and_asks_for_nothing(project: LocalProject):
    folder = project.instance_folder
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert (folder / "dagster.yaml").read_text("utf-8") == (
        "telemetry: {enabled: false}\nnux: {enabled: false}\n"
        "python_logs: {python_log_level: WARNING}\n"
    )


def test_serving_starts_the_pages_on_this_machine_alone(
    project: LocalProject, monkeypatch: pytest.MonkeyPatch
):
    called: list[list[str]] = []
    heeded: list[object] = []
    monkeypatch.setattr("signal.signal", lambda *said: heeded.append(said))
    monkeypatch.chdir(project.instance_folder)
    monkeypatch.setattr("os.execv", lambda _, words: called.append(words))
    project.serve(3456)
    assert heeded == [(signal.SIGINT, signal.SIG_DFL), (signal.SIGTERM, signal.SIG_DFL)]
    assert called == [pages.start(3456, False)]
    project.serve(3456, True)
    assert called[1:] == [pages.start(3456, True)]


def test_a_home_that_may_not_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    LocalProject(tmp_path).instance.dispose()
    for name in (".dagster", ".dagster/history/runs.db"):
        closed = tmp_path / name
        assert closed.exists()
        monkeypatch.setattr("os.access", lambda path, _, closed=closed: path != closed)
        with pytest.raises(OptionError) as refused:
            LocalProject(tmp_path).simulations()
        assert str(refused.value) == f"{tmp_path}: this home cannot be written: permission denied"


def test_a_simulation_that_lies_in_a_store_is_fetched_by_its_name(tmp_path: Path):
    save_simulation(workshop_desk(), tmp_path / "store" / "desk-1")
    home, store = tmp_path / "home", (tmp_path / "store").as_uri()
    home.mkdir()
    (home / "export.toml").write_text(f'[dataset.st]\nsimulations = "{store}/desk-*"\n', "utf-8")
    project = LocalProject(home)
    assert project.stores("other") == {}
    assert project.stores("desk-2") == {store: False}
    assert project.stores("desk-1") == {store: True}
    project.register("desk-1")
    steps = list(project.run("desk-1", {}))
    assert [step.state for step in steps] == ["written"] * 4
    assert (project.folder("desk-1") / "trajectories.jsonl").exists()
    project.instance.dispose()


def test_rows_without_a_reward_are_refused_by_what_they_are(project: LocalProject):
    folder = project.folder("bare")
    folder.mkdir(parents=True)
    turns = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    lines = json.dumps({"messages": turns, "scenario_id": "t"}) + "\n"
    (folder / "trajectories.jsonl").write_text(lines, "utf-8")
    project.register("bare")
    step = list(project.run("bare", {}))[2]
    assert (step.state, step.code, step.report["counts"]["refused"]) == ("refused", "ungraded", 1)
