from __future__ import annotations

import pytest

from whileai_export.defs.choices import Layer, changed, choose
from whileai_export.shared.careful import CAREFUL_PAIRS, CAREFUL_SFT
from whileai_export.shared.errors import OptionError
from whileai_export.shared.options import digest

NAMES = ("min_reward", "dedupe", "formats", "columns")
DEFAULTS = Layer("[defaults]", {"min_reward": 0.6, "dedupe": False})
SUPPORT = Layer("[dataset.support]", {"min_reward": 0.7})


def test_the_run_wins_over_the_dataset_over_the_defaults_over_ours():
    choice = choose(CAREFUL_SFT, NAMES, (DEFAULTS, SUPPORT), {"formats": ["trl"]})
    assert choice.options.selection.min_reward == 0.7
    assert choice.options.selection.dedupe is False
    assert choice.options.formats == ("trl",)
    assert choice.plain()["options_from"] == {
        "min_reward": "[dataset.support]",
        "dedupe": "[defaults]",
        "formats": "run config",
        "columns": "careful defaults",
    }


def test_the_configured_digest_is_that_of_the_options_without_the_run():
    configured = choose(CAREFUL_SFT, NAMES, (SUPPORT,), {})
    overridden = choose(CAREFUL_SFT, NAMES, (SUPPORT,), {"min_reward": 1.0})
    assert configured.configured_digest == digest(configured.options)
    assert overridden.configured_digest == configured.configured_digest
    assert digest(overridden.options) != configured.configured_digest


def test_what_a_layer_says_to_another_step_is_not_for_this_one():
    choice = choose(CAREFUL_SFT, NAMES, (Layer("[defaults]", {"on_leak": "quarantine"}),), {})
    assert choice.options == CAREFUL_SFT


def test_null_is_a_choice():
    assert choose(CAREFUL_SFT, NAMES, (), {"min_reward": None}).options.selection.min_reward is None


def test_columns_are_added_to_those_that_are_always_published():
    assert changed(CAREFUL_SFT, {"columns": ["lineage", "task"]}).columns == (
        "row_id",
        "task",
        "reward",
        "lineage",
    )
    assert "margin" in (changed(CAREFUL_PAIRS, {"columns": ["tie"]}).columns or ())


def test_an_option_that_does_not_exist_is_refused_with_the_nearest():
    with pytest.raises(OptionError, match="min_rewrd: no such option; did you mean 'min_reward'"):
        changed(CAREFUL_SFT, {"min_rewrd": 1})


def test_a_value_that_no_export_could_mean_is_refused():
    with pytest.raises(OptionError, match="min_reward: expected a number from 0 to 1, got 7"):
        choose(CAREFUL_SFT, NAMES, (), {"min_reward": 7})


def test_no_further_columns_are_the_careful_ones_and_not_all_there_are():
    layer = Layer("[defaults]", {"columns": ["reason"]})
    assert choose(CAREFUL_SFT, NAMES, (layer,), {"columns": None}).options == CAREFUL_SFT
    assert choose(CAREFUL_SFT, NAMES, (), {"columns": None}).options == CAREFUL_SFT


def test_columns_that_only_the_grader_may_see_are_refused():
    with pytest.raises(OptionError, match="columns: privileged are private and never leave"):
        choose(CAREFUL_SFT, NAMES, (), {"columns": ["privileged"]})
