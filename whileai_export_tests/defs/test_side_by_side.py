"""Two named datasets of one home: their own prompts, formats, partitions, files and nights."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from whileai_export.defs.export_toml import read_decisions
from whileai_export.defs.factory import pipeline
from whileai_export.defs.resources import Datasets
from whileai_export_tests.defs.homes import Project, rows

DECIDED = """\
[defaults]
min_reward = 0.5

[dataset.support]
simulations = "support-*"
system_prompt = "prompts/support.md"
sft = ["openai", "fireworks"]

[dataset.billing]
simulations = "billing-*"
system_prompt = "prompts/billing.md"
sft = ["trl"]
preference = ["trl"]
"""
NAMES = ("support", "billing")
NOTHING: dict[str, list[str]] = {"support": [], "billing": []}
BILLING = {"support": [], "billing": ["billing-1"]}


def projects(home: Path, instance: dg.DagsterInstance, text: str) -> dict[str, Project]:
    """Both datasets, as the home's ``export.toml`` decides."""
    (home / "export.toml").write_text(text, "utf-8")
    resource = Datasets(home=str(home))
    decided = read_decisions(home).datasets
    return {
        name: Project(
            home, instance, pipeline(name, decided[name], resource), resource.of(name), name
        )
        for name in NAMES
    }


def due(project: Project) -> list[str]:
    """What the dataset's next night exports."""
    schedule = project.definitions.resolve_schedule_def(f"{project.name}_nightly")
    with dg.build_schedule_context(
        instance=project.instance,
        scheduled_execution_time=datetime(2026, 5, 4, 2, tzinfo=UTC),
        resources={"datasets": Datasets(home=str(project.home))},
    ) as context:
        decided: Any = schedule(context)
    found = [] if isinstance(decided, dg.SkipReason) else decided
    return [request.partition_key for request in found]


@pytest.fixture
def exported(lasting: Project) -> dict[str, Project]:
    """One exported simulation in each."""
    (lasting.home / "prompts").mkdir()
    for name in NAMES:
        (lasting.home / "prompts" / f"{name}.md").write_text(f"You do {name}.", "utf-8")
    both = projects(lasting.home, lasting.instance, DECIDED)
    for name, project in both.items():
        project.add(f"{name}-1", rows(), None)
        assert project.run(f"{name}-1").success
    return both


def test_their_files_partitions_and_prompts_stand_side_by_side(exported: dict[str, Project]):
    files = exported["support"].files()
    assert sorted(path for path in files if path.endswith(".jsonl")) == [
        "preference/billing/billing-1/preference.trl.jsonl",
        "preference/support/support-1/preference.openai.jsonl",
        "preference/support/support-1/preference.trl.jsonl",
        "sft/billing/billing-1/sft.trl.jsonl",
        "sft/support/support-1/sft.fireworks.jsonl",
        "sft/support/support-1/sft.openai.jsonl",
        "training_rows/billing/billing-1.jsonl",
        "training_rows/support/support-1.jsonl",
    ]
    partitions = exported["support"].instance.get_dynamic_partitions
    assert [partitions(f"{name}_simulation") for name in NAMES] == [["support-1"], ["billing-1"]]
    said = {}
    for name, format in (("support", "openai"), ("billing", "trl")):
        path = exported[name].folders.published_files("sft", f"{name}-1")[format]
        first = json.loads(path.read_text("utf-8").splitlines()[0])
        said[name] = first["messages"][0]["content"]
    assert said == {"support": "You do support.", "billing": "You do billing."}


def test_an_option_changed_in_one_exports_only_that_one_again(exported: dict[str, Project]):
    home, instance = exported["billing"].home, exported["billing"].instance
    (home / "prompts" / "tasks.jsonl").write_text('{"task": "another"}\n', "utf-8")
    assert {name: due(project) for name, project in exported.items()} == NOTHING
    for line in ("min_margin = 0.4", "unroll = true", 'holdout = ["prompts/tasks.jsonl"]'):
        text = DECIDED.replace("[dataset.billing]", f"[dataset.billing]\n{line}")
        both = projects(home, instance, text)
        assert {name: due(project) for name, project in both.items()} == BILLING
    assert both["billing"].run("billing-1").success
    assert {name: due(project) for name, project in both.items()} == NOTHING
    (home / "prompts" / "billing.md").write_text("You bill.", "utf-8")
    assert {name: due(project) for name, project in both.items()} == BILLING
