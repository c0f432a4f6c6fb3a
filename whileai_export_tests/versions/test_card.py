from __future__ import annotations

from whileai_export_tests.versions.homes import Home, rows


def test_the_readme_declares_one_config_a_kind_and_format(home: Home) -> None:
    home.add("desk", rows(20))
    home.export("desk")
    text = (home.cut(test=0.4).folder / "README.md").read_text("utf-8")
    assert text.split("dataset_info:")[0].splitlines() == [
        "---",
        "configs:",
        *(
            line
            for config in ("preference_openai", "preference_trl", "sft_openai", "sft_trl")
            for line in (
                f'- config_name: "{config}"',
                "  data_files:",
                '  - split: "train"',
                f'    path: ["{config.replace("_", "/")}/train/*.jsonl"]',
                '  - split: "test"',
                f'    path: ["{config.replace("_", "/")}/test/*.jsonl"]',
            )
        ),
    ]
    assert '  - {name: "messages", list: json}' in text
    assert '  - {name: "chosen_score", dtype: float64}' in text


def test_columns_of_all_simulations_are_declared(home: Home) -> None:
    home.add("shop", [r for r in rows(2) if r["reward"] == 1.0])
    home.export("shop")
    text = (home.cut().folder / "README.md").read_text("utf-8")
    assert text.count('{name: "group_id", dtype: string}') == 2


def test_the_card_is_a_changelog(home: Home) -> None:
    first = (home.cut().folder / "card.md").read_text("utf-8").splitlines()
    assert first[0] == "# v0001"
    assert "The first version." in first
    assert "- sft: 4 rows of 4 tasks (openai train 4; trl train 4)" in first
    home.add("desk", rows(5))
    home.export("desk")
    second = (home.cut().folder / "card.md").read_text("utf-8")
    assert "## Since v0001\n\n- sft rows: 1 added\n" in second
    assert "| desk | " in second
    assert home.ids("desk")["t4"] in second


def test_what_was_left_out_is_on_the_card(home: Home) -> None:
    home.add("desk", [r for r in rows(4) if r["reward"] == 1.0])
    home.export("desk")
    card = (home.cut().folder / "card.md").read_text("utf-8")
    assert "## Left out\n\n- desk (preference): nothing qualified: 0 rows\n" in card
