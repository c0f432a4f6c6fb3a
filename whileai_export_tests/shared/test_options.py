from __future__ import annotations

import json
from dataclasses import replace

import pytest

from whileai_export.shared.careful import CAREFUL_PAIRS, CAREFUL_SFT, STAGED_ROWS
from whileai_export.shared.errors import OptionError
from whileai_export.shared.options import (
    PairOptions,
    Policy,
    Selection,
    SftOptions,
    check,
    digest,
    one_of,
    plain,
    with_values,
)


@pytest.mark.parametrize("options", [SftOptions(), PairOptions(), CAREFUL_SFT, CAREFUL_PAIRS])
def test_the_defaults_can_be_meant(options):
    check(options)
    assert json.loads(json.dumps(plain(options))) == plain(options)


def test_options_are_one_flat_object():
    told = plain(SftOptions(columns=("a",)))
    assert (told["formats"], told["columns"], told["min_reward"]) == (["openai"], ["a"], None)
    assert told.keys().isdisjoint({"policy", "selection"})


def test_flat_values_are_put_in_where_they_belong():
    values = {"formats": ["kto"], "min_reward": None, "on_leak": "quarantine", "columns": ["tier"]}
    made = with_values(CAREFUL_SFT, values)
    assert (made.formats, made.selection.min_reward, made.policy.on_leak) == (
        ("kto",),
        None,
        "quarantine",
    )
    assert made.columns == ("row_id", "task", "reward", "tier")
    assert with_values(SftOptions(), plain(made)) == made


def test_every_option_changes_the_digest():
    options = [
        SftOptions(),
        PairOptions(),
        SftOptions(strip_think=False),
        SftOptions(columns=()),
        SftOptions(selection=Selection(dedupe=True)),
        SftOptions(policy=Policy(strict=True)),
    ]
    assert len({digest(made) for made in options}) == len(options)
    assert digest(SftOptions()) == digest(SftOptions())
    assert len(digest(SftOptions())) == 16


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"formats": ()}, "format: expected at least one, each once, got none"),
        ({"formats": ("trl", "openai", "trl")}, "each once, got trl, openai, trl"),
        ({"formats": ("opneai",)}, "did you mean 'openai'"),
        ({"mask_mode": "all"}, "mask_mode: expected one of assistant, final, got 'all'"),
        ({"max_tool_output_chars": -1}, "max_tool_output_chars: expected a whole number from 0"),
        ({"max_tool_output_chars": 1.5}, "max_tool_output_chars: expected a whole number"),
        ({"max_row_bytes": 0}, "max_row_bytes: expected a whole number from 1"),
        ({"unroll": 1}, "unroll: expected true or false"),
        ({"selection": Selection(min_reward=1.1)}, "min_reward: expected a number from 0 to 1"),
        ({"selection": Selection(min_reward=True)}, "min_reward: expected a number from 0 to 1"),
        ({"selection": Selection(max_per_task=0)}, "max_per_task: expected a whole number from 1"),
        ({"selection": Selection(dedupe="no")}, "dedupe: expected true or false"),
        ({"policy": Policy(on_leak="warn")}, "on_leak: expected one of refuse, quarantine"),
        ({"policy": Policy(on_bad_row="skip")}, "on_bad_row: expected one of"),
        ({"policy": Policy(max_quarantined=float("nan"))}, "max_quarantined: expected a number"),
        ({"policy": Policy(strict=1)}, "strict: expected true or false"),
    ],
)
def test_what_no_export_could_mean_is_refused_by_name(change, problem):
    with pytest.raises(OptionError, match=problem):
        check(replace(SftOptions(), **change))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"formats": ("kto",)}, "format: expected one of openai, trl, trl-completion, fireworks"),
        ({"min_margin": -0.1}, "min_margin: expected a number from 0 to 1"),
        ({"max_pairs_per_task": 0}, "max_pairs_per_task: expected a whole number from 1"),
        ({"length_match": None}, "length_match: expected true or false"),
    ],
)
def test_what_no_pair_could_mean_is_refused_by_name(change, problem):
    with pytest.raises(OptionError, match=problem):
        check(replace(PairOptions(), **change))


def test_a_choice_far_from_all_others_gets_no_hint():
    with pytest.raises(OptionError) as caught:
        one_of("kind", 7, ("training", "preference"))
    assert str(caught.value) == "kind: expected one of training, preference, got 7"


def test_staged_rows_are_neither_stripped_nor_selected():
    assert (STAGED_ROWS.strip_think, STAGED_ROWS.selection) == (False, Selection())
    assert STAGED_ROWS.columns is None
