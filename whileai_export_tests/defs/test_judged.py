from __future__ import annotations

import shutil
import socket
from collections.abc import Callable

import pytest

from whileai_export.defs import current, sft_jsonl
from whileai_export.defs.choices import Layer
from whileai_export.defs.dataset import Dataset, DatasetOptions
from whileai_export.defs.judged import Judge
from whileai_export_tests.defs.homes import Project, leaking, rows
from whileai_export_tests.defs.test_under_way import gone


def judged(project: Project, **options: object) -> tuple[str, str]:
    """What is said of ``night`` under options of its dataset."""
    layers = (Layer("[defaults]", options),) if options else ()
    dataset = Dataset(project.name, DatasetOptions(layers))
    return Judge.of(project.instance, dataset, project.folders)("night")


def test_what_was_never_run_is_so_and_then_current(project: Project):
    project.add("night", rows())
    assert judged(project) == ("never run", "")
    project.run("night")
    assert judged(project) == ("current", "")


def test_what_has_changed_is_named(project: Project, monkeypatch: pytest.MonkeyPatch):
    project.add("night", rows())
    project.run("night")
    assert judged(project, min_reward=0.9) == ("stale", "options changed")
    project.add("night", rows(5))
    assert judged(project) == ("stale", "input changed")
    monkeypatch.setattr(current, "code_version", lambda: "another")
    assert judged(project, dedupe=False) == ("stale", "input and options and code changed")


def test_a_step_that_was_never_run_is_named(project: Project):
    project.add("night", rows())
    project.run("night", "graded_simulations", "training_rows", "sft_jsonl")
    assert judged(project) == ("stale", "preference_jsonl is not there")


def test_a_refusal_says_by_which_gate_until_something_changes(project: Project):
    project.add("night", leaking())
    project.run("night")
    assert judged(project) == ("refused", "privileged_leak")
    project.add("night", leaking(5))
    assert judged(project) == ("stale", "input changed")


def test_a_source_that_cannot_be_read_is_refused_in_its_own_words(project: Project):
    folder = project.add("night", rows())
    (folder / "trajectories.jsonl").write_text("nonsense\n", "utf-8")
    project.run("night")
    assert judged(project) == (
        "refused",
        "simulation night: none of 1 row can be read: line 1, $: expected one JSON object on the"
        " line, got text that is not JSON (from character 1) (rows of another shape are read by an"
        " adapter that export.toml names)",
    )


def crash(*_: object, **__: object) -> None:
    raise MemoryError


def test_a_crash_is_one_also_where_the_files_are_those_of_the_run_before(
    project: Project, monkeypatch: pytest.MonkeyPatch
):
    project.add("night", rows())
    project.run("night")
    with monkeypatch.context() as broken:
        broken.setattr(sft_jsonl, "write_sft", crash)
        run = project.run("night").run_id
    assert judged(project) == ("crashed", f"run {run[:8]} failed")
    project.run("night")
    assert judged(project) == ("current", "")


def test_a_run_that_was_killed_is_a_crash(project: Project):
    project.add("night", rows())
    run = project.run("night").run_id
    project.unend(run)
    assert judged(project) == ("running", f"run {run[:8]} has not ended")
    project.unend(run, whileai_export__process=f"{run} {socket.gethostname()} {gone()}")
    assert judged(project) == ("crashed", f"run {run[:8]} was killed, or hangs")
    project.unend(run, "CANCELED")
    assert judged(project) == ("crashed", f"run {run[:8]} was cancelled")


def test_the_crash_of_another_dataset_is_none_of_this_one(
    make: Callable[..., Project], monkeypatch: pytest.MonkeyPatch
):
    one, other = make("one"), make("other")
    one.add("night", rows())
    other.register("night")
    one.run("night")
    monkeypatch.setattr(sft_jsonl, "write_sft", crash)
    assert not other.run("night").success
    assert judged(one) == ("current", "")


def test_one_that_is_gone_and_one_that_cannot_be_read_are_told_apart(project: Project):
    folder = project.add("night", rows())
    (folder / "trajectories.jsonl.gz").touch()
    state, why = judged(project)
    assert state == "unreadable"
    assert why.startswith("simulation night: expected one trajectories.jsonl, found 2")
    shutil.rmtree(folder)
    assert judged(project) == ("gone", "")


def test_one_that_was_not_fetched_yet_was_never_run(project: Project):
    dataset = Dataset(None, DatasetOptions(store="memory://bucket"))
    assert Judge.of(project.instance, dataset, project.folders)("night") == (
        "never run",
        "not fetched yet",
    )
