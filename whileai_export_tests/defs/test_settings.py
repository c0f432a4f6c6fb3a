from __future__ import annotations

import pytest

from whileai_export.defs.settings import run_config
from whileai_export.shared.errors import OptionError


def said(**settings: str) -> object:
    return run_config(settings)["ops"]


def test_a_setting_goes_to_every_step_that_has_it():
    both = {"config": {"min_reward": 1.0}}
    assert said(min_reward="1.0") == {"sft_jsonl": both, "preference_jsonl": both}


def test_a_setting_of_one_step_goes_to_that_one():
    assert said(on_leak="quarantine") == {"training_rows": {"config": {"on_leak": "quarantine"}}}


def test_text_becomes_the_type_of_the_option():
    assert said(unroll="true", max_tool_output_chars="200") == {
        "sft_jsonl": {"config": {"unroll": True, "max_tool_output_chars": 200}}
    }


def test_a_list_is_parted_by_commas():
    both = {"config": {"formats": ["openai", "fireworks"]}}
    assert said(formats="openai, fireworks") == {"sft_jsonl": both, "preference_jsonl": both}


def test_no_setting_configures_no_step():
    assert said() == {}


def test_an_unknown_setting_names_the_nearest():
    with pytest.raises(
        OptionError, match="--set min_rewards: no such option; did you mean 'min_reward'"
    ):
        said(min_rewards="1")


def test_a_value_of_another_type_is_refused():
    with pytest.raises(OptionError, match="--set min_reward: expected float, got 'high'"):
        said(min_reward="high")
