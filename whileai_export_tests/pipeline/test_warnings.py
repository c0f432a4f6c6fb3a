from __future__ import annotations

import pytest

from whileai_export import export_dataset, export_preference
from whileai_export.pipeline.preference import write_pairs
from whileai_export.shared.options import PairOptions
from whileai_export_tests.builders import (
    SYSTEM,
    TOOLS,
    bad_call_row,
    chat_row,
    leaking_row,
    steps_row,
)


def warned(*rows: dict, **options: object) -> list[str]:
    options = {"system_prompt": SYSTEM, "tools": TOOLS, **options}
    return export_dataset(list(rows), **options)["warnings"]


def paired(*pairs: dict, **options: object) -> list[str]:
    options = {"system_prompt": SYSTEM, "tools": TOOLS, **options}
    return export_preference(list(pairs), **options)["warnings"]


def pair(chosen: str, rejected: str, **more: object) -> dict:
    return {
        "chosen": chat_row(reply=chosen),
        "rejected": chat_row(reply=rejected, reward=0),
        **more,
    }


def test_a_good_export_warns_of_nothing():
    assert warned(steps_row(), chat_row("b", reward=0.5)) == []


@pytest.mark.parametrize(
    ("row", "options", "warning"),
    [
        (chat_row(reward=0.4), {}, "1 row with a reward below 0.5 is written as an SFT target"),
        (
            chat_row(reward=5),
            {},
            "1 reward is no number from 0 to 1, and no grade (out_of_range 1)",
        ),
        (chat_row(reward=True), {}, "1 reward is no number from 0 to 1, and no grade (bool 1)"),
        (chat_row(finish_reason="length"), {}, "1 row was cut off or failed"),
        (chat_row(reply="<agent error: x>"), {}, "1 row was cut off or failed"),
        (chat_row(), {"system_prompt": None}, "1 row has no system prompt (from"),
        (steps_row(), {"tools": None}, "1 row has no tool schemas while tools are called"),
        (leaking_row(), {"validate": False}, "1 row quotes its own privileged block"),
        (bad_call_row(), {"validate": False}, "1 tool call carries arguments that are no object"),
        (
            {"messages": [*chat_row()["messages"], *chat_row()["messages"][:1] * 2]},
            {},
            "structure: 1 row checked, 1 row with findings",
        ),
    ],
)
def test_what_harms_the_training_is_told(row, options, warning):
    told = warned(row, **options)
    assert [text for text in told if text.startswith(warning)], told


def test_what_is_missing_is_told_with_everything_that_gives_it():
    assert warned(steps_row(), system_prompt=None, tools=None) == [
        "1 row has no system prompt (from the option system_prompt, the row, profile.json or the"
        " sidecar); the agent that is trained on it never sees its rules",
        "1 row has no tool schemas while tools are called (from the option tools, the row,"
        " profile.json or the sidecar)",
    ]
    sides = {"chosen": steps_row(reply="a"), "rejected": steps_row(reply="bb", reward=0.0)}
    assert paired(sides, system_prompt=None, tools=None)[-2:] == [
        "1 pair has no system prompt (from the option system_prompt, the row, profile.json or the"
        " sidecar)",
        "1 pair has no tool schemas while tools are called (from the option tools, the row,"
        " profile.json or the sidecar)",
    ]


def test_rows_in_quarantine_are_not_warned_of():
    rows = [steps_row()] * 3 + [bad_call_row(), leaking_row()]
    kept = {"on_bad_row": "quarantine", "on_leak": "quarantine", "max_quarantined": 0.5}
    assert warned(*rows, **kept) == []


@pytest.mark.parametrize("reward", [None, 0, 1.0])
def test_rows_that_nobody_graded_have_no_odd_reward(reward: object):
    assert not [told for told in warned(chat_row(reward=reward)) if "no grade" in told]


def test_rewards_on_another_scale_are_told_where_pairs_are_made_too():
    rows = [chat_row(reward=reward) for reward in (0, 2, 5)]
    with write_pairs(rows, {}, options=PairOptions()) as outcome:
        told = "2 rewards are no number from 0 to 1, and no grade (out_of_range 2)"
        assert told in outcome.report["warnings"]


def test_good_pairs_warn_of_nothing():
    assert paired(pair("a", "bb")) == []


@pytest.mark.parametrize(
    ("pairs", "options", "warning"),
    [
        (
            [pair("a", "a ", chosen_score=1)] * 0 + [pair("aaa", "b")] * 3,
            {},
            "chosen is the longer",
        ),
        ([pair("aaa", "b")] * 6 + [pair("a", "bb")] * 2, {}, "chosen is the longer side in 75%"),
        ([pair("a", "bb", same_policy=False)], {}, "1 pair compares two different policies"),
        ([pair("a", "bb", first_turn_differs=False)], {}, "1 pair begins with the same"),
        ([pair("a", "bb")], {"system_prompt": None}, "1 pair has no system prompt"),
        (
            [{"chosen": steps_row(reply="a"), "rejected": steps_row(reply="bb")}],
            {"tools": None},
            "1 pair has no tool schemas while tools are called",
        ),
        (
            [{"chosen": steps_row(reply="a"), "rejected": steps_row(reply="bb")}],
            {"format": "trl"},
            "2 tool and user turns stand inside trl completions",
        ),
    ],
)
def test_what_a_pair_teaches_beside_the_preference_is_told(pairs, options, warning):
    told = paired(*pairs, **options)
    assert [text for text in told if text.startswith(warning)], told


def test_two_longer_pairs_are_no_pattern_yet():
    assert paired(pair("aaa", "b"), pair("aaaa", "b")) == []
    assert paired(*[pair("aaa", "b")] * 6, *[pair("a", "bb")]) == []


def test_pairs_that_prefer_the_worse_score_are_told(tmp_path):
    good, bad = chat_row(reply="Yes.", reward=1.0), chat_row(reply="No.", reward=0.0)
    pairs = [{"chosen": bad, "rejected": good}, {"chosen": good, "rejected": bad}]
    report = export_preference(pairs, tmp_path / "o.jsonl")
    assert report["backward"] == 1
    assert "1 pair prefers a side whose score is not the better one" in report["warnings"]


def test_a_column_that_no_row_has_is_told_by_its_name():
    rows = [chat_row(tier="gold", note="n"), chat_row("b", note="m")]
    assert warned(*rows, columns=["tier", "note"]) == []
    asked = ["tier", "nope", "none"]
    assert warned(*rows, columns=asked) == ["columns: no written row has nope, none"]
    assert paired(pair("a", "bb", note="n"), columns=["note", "nope"]) == [
        "columns: no written pair has nope"
    ]


def test_a_column_that_is_left_out_for_what_it_quotes_is_not_missing():
    row = {**leaking_row(), "messages": chat_row()["messages"]}
    row["note"] = row["privileged"]["note"]
    assert warned(row, columns=["note"]) == []
