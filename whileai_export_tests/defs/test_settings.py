from __future__ import annotations

import pytest

from whileai_export.defs.choices import Layer
from whileai_export.defs.dataset import Dataset, DatasetOptions
from whileai_export.defs.defaults import CONFIGS
from whileai_export.defs.settings import check_settings, run_config
from whileai_export.shared.errors import OptionError
from whileai_export.shared.project import RUN_KEYS


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
        OptionError,
        match=r"^--set min_rewards: no such option; did you mean 'min_reward'\?$",
    ):
        said(min_rewards="1")


def test_a_setting_that_is_near_to_none_is_told_all_there_are():
    with pytest.raises(OptionError, match=r"^--set xyz: no such option; there are adapter, col"):
        said(xyz="1")


def test_a_value_of_another_type_is_refused():
    with pytest.raises(
        OptionError, match=r"^--set min_reward: expected a number from 0 to 1, or none, got 'high'$"
    ):
        said(min_reward="high")


def test_the_keys_that_the_help_lists_are_those_that_are_read():
    assert list(RUN_KEYS) == list(
        dict.fromkeys(name for config in CONFIGS.values() for name in config.model_fields)
    )


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"on_leak": "bogus"}, "on_leak: expected one of refuse, quarantine, got 'bogus'"),
        ({"min_reward": "7"}, "min_reward: expected a number from 0 to 1, got 7.0"),
        ({"mask_mode": "fina"}, "mask_mode: expected one of assistant, final, got 'fina'; did"),
        ({"max_tokens": "9"}, "max_tokens: expected tokenizer=, the file that counts them"),
        ({"adapter": "no.such:thing"}, "adapter: module 'no.such' cannot be imported"),
        ({"columns": "reason, privileged"}, "columns: privileged are private and never leave"),
        ({"min_margin": "wide"}, "min_margin: expected a number from 0 to 1, got 'wide'"),
        ({"formats": "kto"}, "formats: expected one of openai, trl, trl-completion, fireworks"),
    ],
)
def test_a_value_that_no_step_could_mean_is_refused_before_any_runs(
    settings: dict[str, str], problem: str
):
    with pytest.raises(OptionError) as refused:
        check_settings(settings, Dataset())
    assert str(refused.value).startswith(f"--set {problem}")


def test_settings_are_checked_together_with_what_the_dataset_says():
    layer = Layer("[dataset.a]", {"tokenizer": "t.json", "max_tokens": 9})
    check_settings({"max_tokens": "5"}, Dataset("a", DatasetOptions((layer,))))
