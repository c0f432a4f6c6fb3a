from __future__ import annotations

from typing import Any

from whileai_export.pipeline.card import folder_card

REPORT: dict[str, Any] = {
    "counts": {"read": 9, "written": 4, "quarantined": 1, "filtered": {"min_reward": 4}},
    "options_digest": "0123456789abcdef",
    "lengths": {
        "characters": {"p50": 900, "p90": 1900, "p99": 2000, "max": 2100},
        "tokens": None,
    },
    "warnings": ["2 rows were cut off"],
    "outputs": [
        {
            "format": "openai",
            "path": "/home/sft/night/sft.openai.jsonl",
            "rows": 4,
            "longest_line": 3000,
            "sha256": "e" * 64,
            "columns": {"messages": ["json"]},
        },
        {
            "format": "trl",
            "path": "/home/sft/night/sft.trl.jsonl",
            "rows": 4,
            "longest_line": 3000,
            "sha256": "f" * 64,
            "columns": {"messages": ["json"], "reward": ["float64"], "task": ["string"]},
        },
    ],
}


def card(**changed: object) -> str:
    return folder_card("night: sft", {**REPORT, **changed}).decode()


def test_every_format_is_a_config_with_declared_features():
    assert card(outputs=REPORT["outputs"][1:]).startswith(
        "---\nconfigs:\n"
        '- config_name: "trl"\n  data_files:\n  - split: "train"\n    path: ["sft.trl.jsonl"]\n'
        'dataset_info:\n- config_name: "trl"\n  features:\n'
        '  - {name: "messages", list: json}\n'
        '  - {name: "reward", dtype: float64}\n'
        '  - {name: "task", dtype: string}\n'
        "---\n\n# night: sft\n"
    )


def test_it_says_what_was_left_out():
    assert "4 rows of 9 rows read" in card()
    assert "Left out: min_reward 4, quarantined 1." in card()


def test_the_settings_of_each_format_stand_beside_its_file():
    text = card()
    assert "| sft.openai.jsonl | openai | 4 | eeeeeeeeeeee | not for TRL |" in text
    assert "`SFTConfig(assistant_only_loss=True, max_length=1024)`" in text


def test_the_snippet_loads_a_format_that_the_trainer_reads():
    assert 'load_dataset(os.getcwd(), "trl", split="train")' in card()


def test_pairs_are_trained_by_another_trainer():
    assert "DPOConfig(max_length=1024)" in card(pairs=4)


def test_lengths_and_warnings_are_told():
    text = card()
    assert "| characters | 900 | 1900 | 2000 | 2100 |" in text
    assert "## Warnings\n\n- 2 rows were cut off" in text


def test_no_path_of_the_machine_is_in_it():
    assert "/home" not in card()


def test_every_column_of_any_file_says_what_it_means():
    openai, trl = REPORT["outputs"]
    first = {**openai, "columns": {"prompt": ["string"], "tier": ["string"]}}
    second = {**trl, "columns": {"prompt": ["json"], "reward": ["float64"]}}
    assert (
        "| column | what it says |\n"
        "| --- | --- |\n"
        "| `prompt` | the ask, or the messages before the completion |\n"
        "| `tier` | as the simulation wrote it |\n"
        "| `reward` | the grade, from 0 to 1 |\n\n"
    ) in card(outputs=[first, second])
