from __future__ import annotations

from whileai_export.defs.choices import Layer
from whileai_export.defs.dataset import Dataset, DatasetOptions, code_version


def test_an_unnamed_dataset_has_no_prefix():
    dataset = Dataset()
    assert dataset.key("sft_jsonl").path == ["sft_jsonl"]
    assert (dataset.group, dataset.named("export_simulation")) == (
        "whileai_export",
        "export_simulation",
    )


def test_a_name_is_prefix_and_group():
    dataset = Dataset("support")
    assert dataset.key("sft_jsonl").path == ["support", "sft_jsonl"]
    assert (dataset.group, dataset.named("export_simulation")) == (
        "support",
        "support_export_simulation",
    )


def test_a_step_reads_its_own_formats():
    options = DatasetOptions((Layer("[defaults]", {"sft": ["trl"], "preference": ["openai"]}),))
    assert options.for_kind("sft")[0].values == {"formats": ["trl"], "preference": ["openai"]}


def test_the_code_version_is_a_hash_of_the_writing_rooms():
    assert code_version() == code_version()
    assert len(code_version()) == 16
    assert set(code_version()) <= set("0123456789abcdef")
