from __future__ import annotations

import dagster as dg

from whileai_export.defs.columns import column_metadata
from whileai_export.defs.dataset import Dataset

OUTPUTS = [
    {"format": "openai", "columns": {"messages": ["json"], "reward": ["float64", "null"]}},
    {"format": "trl", "columns": {"messages": ["json"], "prompt_text": ["string"]}},
    {"format": "trl", "columns": {"meta_model": ["string"]}},
]
CONVERSATION = "the conversation, the system prompt first"


def described(asset: str = "sft_jsonl", name: str | None = None):
    found = column_metadata(Dataset(name), asset, OUTPUTS)
    return found["dagster/column_schema"], found["dagster/column_lineage"]


def test_the_schema_is_of_the_columns_written_in_any_format():
    schema, _ = described()
    assert [(c.name, c.type, c.description) for c in schema.columns] == [
        ("messages", "json", CONVERSATION + "; in openai, trl"),
        ("reward", "float64", "the grade, from 0 to 1; in openai"),
        ("prompt_text", "string", "the ask; in trl"),
        ("meta_model", "string", "in trl"),
    ]


def test_a_column_comes_from_its_namesake_upstream():
    _, lineage = described(name="support")
    assert lineage.deps_by_column["reward"] == [
        dg.TableColumnDep(dg.AssetKey(["support", "training_rows"]), "reward")
    ]


def test_a_score_comes_from_the_reward():
    found = column_metadata(
        Dataset(), "preference_jsonl", [{"format": "trl", "columns": {"margin": ["float64"]}}]
    )
    deps = found["dagster/column_lineage"].deps_by_column["margin"]
    assert [dep.column_name for dep in deps] == ["reward"]


def test_without_a_file_there_are_no_columns():
    assert column_metadata(Dataset(), "sft_jsonl", []) == {}
