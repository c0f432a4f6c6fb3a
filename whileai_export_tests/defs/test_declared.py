from __future__ import annotations

from whileai_export.defs.dataset import Dataset, code_version
from whileai_export.defs.sft_jsonl import sft_jsonl


def test_an_asset_declares_group_partitions_upstream_and_code():
    dataset = Dataset("support")
    asset = sft_jsonl(dataset)
    key = dataset.key("sft_jsonl")
    spec = asset.get_asset_spec(key)
    assert (spec.group_name, spec.code_version) == ("support", code_version())
    assert [dep.asset_key for dep in spec.deps] == [dataset.key("training_rows")]
    assert asset.partitions_def == dataset.partitions
    assert spec.description == (
        "Passing trajectories of one simulation as supervised fine-tuning rows."
    )
