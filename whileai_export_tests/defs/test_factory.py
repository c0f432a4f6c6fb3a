from __future__ import annotations

from collections.abc import Callable

import dagster as dg

from whileai_export.defs.factory import pipeline
from whileai_export_tests.defs.homes import Project, rows

ASSETS = ["dataset_version", "graded_simulations", "preference_jsonl", "sft_jsonl", "training_rows"]


def keys(definitions: dg.Definitions) -> list[str]:
    graph = definitions.resolve_asset_graph()
    return sorted(key.to_user_string() for key in graph.get_all_asset_keys())


def test_a_dataset_without_a_name_has_no_prefix():
    assert keys(pipeline()) == ASSETS


def test_datasets_stand_side_by_side():
    both = dg.Definitions.merge(pipeline("billing"), pipeline("support"))
    dg.Definitions.validate_loadable(both)
    assert keys(both) == [f"{name}/{asset}" for name in ("billing", "support") for asset in ASSETS]


def test_a_named_dataset_publishes_in_its_own_folders(make: Callable[..., Project]):
    project = make("support")
    project.add("night", rows())
    assert project.run("night").success
    assert {path for path in project.files() if path.endswith("report.json")} == {
        "training_rows/support/night.report.json",
        "sft/support/night/report.json",
        "preference/support/night/report.json",
    }
    assert project.report("sft", "night")["asset"] == "support/sft_jsonl"
