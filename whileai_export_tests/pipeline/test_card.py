from __future__ import annotations

from whileai_export.pipeline.card import column_types, folder_card

REPORT = {
    "counts": {"read": 9, "written": 4},
    "options_digest": "0123456789abcdef",
    "outputs": [
        {
            "format": "trl",
            "path": "/home/sft/night/sft.trl.jsonl",
            "rows": 4,
            "sha256": "f" * 64,
            "columns": {"messages": ["json"], "reward": ["float64"], "task": ["string"]},
        }
    ],
}


def test_every_format_is_a_config_with_declared_features():
    text = folder_card("night: sft", REPORT).decode()
    assert text.startswith(
        "---\nconfigs:\n"
        '- config_name: "trl"\n  data_files:\n  - split: "train"\n    path: ["sft.trl.jsonl"]\n'
        'dataset_info:\n- config_name: "trl"\n  features:\n'
        '  - {name: "messages", list: json}\n'
        '  - {name: "reward", dtype: float64}\n'
        '  - {name: "task", dtype: string}\n'
        "---\n\n# night: sft\n"
    )
    assert "4 rows of 9 rows read" in text
    assert 'load_dataset("<this folder>", "trl", split="train")' in text


def test_the_ask_is_text_in_openai_and_turns_elsewhere():
    assert column_types({"prompt": ["json"]}, "openai") == {"prompt": "string"}
    assert column_types({"prompt": ["json"]}, "trl") == {"prompt": "list[json]"}
    assert column_types({"prompt": ["string"]}, "openai") == {"prompt": "string"}


def test_a_column_of_several_kinds_takes_the_one_that_holds_them():
    assert column_types({"a": ["float64", "int64"], "b": ["json", "string"]}, "trl") == {
        "a": "float64",
        "b": "json",
    }
