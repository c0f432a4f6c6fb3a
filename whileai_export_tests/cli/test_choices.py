from __future__ import annotations

from pathlib import Path

import pytest

from whileai_export.cli.choices import pair_options, prompt_in, sft_options, tools_in
from whileai_export.shared.careful import CAREFUL_PAIRS, CAREFUL_SFT
from whileai_export.shared.errors import OptionError


def test_what_is_not_given_stays_careful():
    options = sft_options({"min_reward": None, "columns": (), "formats": ()})
    assert options.selection == CAREFUL_SFT.selection
    assert options.policy == CAREFUL_SFT.policy
    assert options.formats == ("openai",)


def test_what_is_given_goes_where_it_belongs():
    options = sft_options({"min_reward": 0.9, "on_leak": "quarantine", "unroll": True})
    assert (options.selection.min_reward, options.policy.on_leak, options.unroll) == (
        (0.9, "quarantine", True)
    )


def test_a_switch_can_be_turned_off():
    assert sft_options({"dedupe": False}).selection.dedupe is False


def test_no_least_reward_is_said_with_none():
    assert sft_options({"min_reward": "none"}).selection.min_reward is None


def test_columns_are_added_to_the_careful_ones():
    assert sft_options({"columns": ("tier", "task")}).columns == (
        "row_id",
        "task",
        "reward",
        "tier",
    )


def test_pairs_have_options_of_their_own():
    options = pair_options({"min_margin": 0.5})
    assert options.min_margin == 0.5
    assert options.selection == CAREFUL_PAIRS.selection


def test_a_value_that_means_nothing_is_refused():
    with pytest.raises(OptionError, match="min_margin: expected a number from 0 to 1, got 7"):
        pair_options({"min_margin": 7.0})


def test_a_system_prompt_is_taken_as_it_stands(tmp_path: Path):
    file = tmp_path / "policy.md"
    file.write_bytes("Be kind.\nÉ\n".encode())
    assert prompt_in(file) == "Be kind.\nÉ\n"
    assert prompt_in(None) is None


def test_a_system_prompt_that_is_no_text_is_refused(tmp_path: Path):
    file = tmp_path / "policy.bin"
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(OptionError, match="--system-prompt: expected UTF-8 text"):
        prompt_in(file)


def test_a_system_prompt_without_a_word_is_refused(tmp_path: Path):
    file = tmp_path / "policy.md"
    file.write_text("\n", "utf-8")
    with pytest.raises(
        OptionError, match=r"--system-prompt: expected text in .*, got an empty fil"
    ):
        prompt_in(file)


def test_tools_that_are_a_text_are_refused_without_the_parsers_words(tmp_path: Path):
    file = tmp_path / "policy.md"
    file.write_text("Be kind.", "utf-8")
    with pytest.raises(OptionError) as refused:
        tools_in(file)
    said = f"--tools: expected a JSON list of tool schemas in {file}, got text that is not JSON"
    assert str(refused.value) == said


@pytest.mark.parametrize("text", ['[{"name": "a"}]', '{"policy": "x", "tools": [{"name": "a"}]}'])
def test_tools_are_a_list_or_an_object_that_holds_one(tmp_path: Path, text: str):
    file = tmp_path / "tools.json"
    file.write_text(text, "utf-8")
    assert tools_in(file) == [{"name": "a"}]


@pytest.mark.parametrize("text", ["{", '"tools"', '{"tools": "all"}', '["a"]'])
def test_tools_that_are_none_are_refused(tmp_path: Path, text: str):
    file = tmp_path / "tools.json"
    file.write_text(text, "utf-8")
    with pytest.raises(OptionError, match="--tools: expected"):
        tools_in(file)
