from __future__ import annotations

import pytest

from whileai_export.pipeline.load import (
    column_types,
    file_snippet,
    folder_snippet,
    max_length,
    settings,
)


def test_the_ask_is_text_in_openai_and_turns_elsewhere():
    assert column_types({"prompt": ["json"]}, "openai") == {"prompt": "string"}
    assert column_types({"prompt": ["json"]}, "trl") == {"prompt": "list[json]"}
    assert column_types({"prompt": ["string"]}, "openai") == {"prompt": "string"}


def test_a_column_of_several_kinds_takes_the_one_that_holds_them():
    assert column_types({"a": ["float64", "int64"], "b": ["json", "string"]}, "trl") == {
        "a": "float64",
        "b": "json",
    }


def test_a_reward_is_a_fraction_whatever_was_seen():
    assert column_types({"reward": ["int64"]}, "trl") == {"reward": "float64"}


def test_the_room_for_training_is_counted_in_tokens_where_they_are_known():
    lengths = {"tokens": {"p50": 100, "p90": 200, "p99": 300, "max": 1000}}
    assert max_length({"longest_line": 9}, lengths) == 1280


def test_without_a_tokenizer_it_is_estimated_from_the_longest_line():
    assert max_length({"longest_line": 3000}, {"tokens": None}) == 1024
    assert max_length({"longest_line": 3100}, None) == 1280


@pytest.mark.parametrize(
    ("format", "pairs", "told"),
    [
        ("trl", False, "SFTConfig(assistant_only_loss=True, max_length=512)"),
        ("trl-completion", False, "SFTConfig(completion_only_loss=True, max_length=512)"),
        ("kto", False, "KTOConfig(max_length=512)"),
        ("trl", True, "DPOConfig(max_length=512)"),
        ("trl-completion", True, "DPOConfig(max_length=512)"),
        ("openai", False, None),
        ("fireworks", True, None),
    ],
)
def test_every_format_of_trl_has_its_settings(format: str, pairs: bool, told: str | None):
    assert settings(format, pairs=pairs, length=512) == told


def test_a_folder_is_loaded_by_the_name_of_the_format():
    assert folder_snippet("trl", "SFTConfig(max_length=512)") == (
        "import os\n"
        "\n"
        "from datasets import load_dataset\n"
        "from trl import SFTConfig\n"
        "\n"
        'rows = load_dataset(os.getcwd(), "trl", split="train")\n'
        "config = SFTConfig(max_length=512)"
    )


def test_a_file_without_a_card_brings_its_features_along():
    columns = {"messages": ["json"], "reward": ["float64"], "lineage": ["json"]}
    assert file_snippet("a/b.jsonl", columns, "openai", None) == (
        "from datasets import Features, Json, List, Value, load_dataset\n"
        "\n"
        "features = Features({\n"
        "    'messages': List(Json()),\n"
        "    'reward': Value('float64'),\n"
        "    'lineage': Json(),\n"
        "})\n"
        'rows = load_dataset("json", data_files=\'a/b.jsonl\', split="train", features=features)'
    )


def test_a_column_of_dates_is_json_which_keeps_their_spelling():
    assert column_types({"task": ["date", "string"]}, "trl") == {"task": "json"}
