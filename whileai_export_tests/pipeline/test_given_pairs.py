"""Pairs that somebody else made, to preference files."""

from __future__ import annotations

import pytest

from whileai_export import (
    GateError,
    OptionError,
    SourceError,
    build_preference_pairs,
    export_preference,
)
from whileai_export_tests.builders import (
    SYSTEM,
    TOOLS,
    chat_row,
    jsonl,
    leaking_row,
    rows_of,
    steps_row,
)

GOOD, BAD = chat_row(), chat_row(reply="Lost.", reward=0.0)


def test_a_leak_on_either_side_refuses(tmp_path):
    for pair in (
        {"chosen": leaking_row(), "rejected": BAD},
        {"chosen": GOOD, "rejected": leaking_row()},
    ):
        with pytest.raises(GateError) as caught:
            export_preference([pair], tmp_path / "p.jsonl")
        assert caught.value.code == "privileged_leak"
        told = caught.value.report["counts"]
        assert (told["read"], told["refused"], told["written"]) == (1, 1, 0)


def test_a_block_on_the_pair_is_the_block_of_both_sides(tmp_path):
    secret = "the amber door code is 4418"
    sides = {"chosen": GOOD["messages"], "rejected": leaking_row()["messages"]}
    with pytest.raises(GateError, match="privileged_leak"):
        export_preference([{**sides, "privileged": {"note": secret}}])


def test_pairs_of_a_file_are_named_by_their_line(tmp_path):
    source = jsonl(tmp_path / "p.jsonl", [{"chosen": GOOD, "rejected": BAD}, "", {"chosen": GOOD}])
    with pytest.raises(SourceError, match="line 3: expected a pair with chosen and rejected"):
        export_preference(source, tmp_path / "o.jsonl")


def test_unfit_pairs_are_quarantined_whole(tmp_path):
    pairs = [{"chosen": GOOD, "rejected": BAD}, {"chosen": leaking_row(), "rejected": BAD}, 7]
    report = export_preference(
        pairs, tmp_path / "o.jsonl", on_bad_row="quarantine", on_leak="quarantine",
        max_quarantined=0.7,
    )  # fmt: skip
    kept = rows_of(tmp_path / "o.jsonl.quarantine.jsonl")
    assert [(row["row"], row["gate"], row["source"]) for row in kept] == [
        (1, "privileged_leak", pairs[1]),
        (2, "readable", 7),
    ]
    assert report["counts"]["quarantined"] == 2


@pytest.mark.parametrize(
    "format",
    ["openai", "trl", "trl-completion"],
)
def test_a_preference_file_exported_again_does_not_change(tmp_path, format):
    rows = [steps_row(reason="right", model_version="m", lineage={"run": 1}, rollout_index=0),
            steps_row(reply="Lost.", reward=0, model_version="n", rollout_index=1)]  # fmt: skip
    pairs, _ = build_preference_pairs(rows)
    once, twice = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    export_preference(pairs, once, SYSTEM, TOOLS, format=format)
    export_preference(once, twice, format=format)
    assert once.read_bytes() == twice.read_bytes()


def test_pairs_with_their_report_are_told_apart():
    built = build_preference_pairs([GOOD, BAD])
    with pytest.raises(SourceError) as refused:
        export_preference(built)
    assert str(refused.value) == (
        "expected pairs, got pairs and their report; pass the pairs alone:"
        " pairs, report = build_preference_pairs(rows)"
    )


def test_a_row_of_format_fireworks_is_refused_by_name(tmp_path):
    export_preference([{"chosen": GOOD, "rejected": BAD}], tmp_path / "1.jsonl", format="fireworks")
    with pytest.raises(SourceError, match="got a row of format fireworks"):
        export_preference(tmp_path / "1.jsonl", tmp_path / "2.jsonl")


def test_what_is_selected_among_pairs_is_counted(tmp_path):
    low = {"chosen": chat_row("x", "y", 0.4), "rejected": chat_row("x", "z", 0)}
    cut = {"chosen": GOOD, "rejected": {**BAD, "finish_reason": "length"}}
    bare = {"chosen": GOOD["messages"], "rejected": chat_row(reply="Who knows?")["messages"]}
    pair = {"chosen": GOOD, "rejected": BAD}
    report = export_preference(
        [pair, pair, low, cut, bare], tmp_path / "o.jsonl",
        min_reward=0.5, drop_failed=True, dedupe=True,
    )  # fmt: skip
    assert report["counts"]["filtered"] == {
        "cut": 1, "duplicate": 1, "min_reward": 1, "ungraded": 1,
    }  # fmt: skip
    assert (report["pairs"], report["counts"]["written"]) == (1, 1)


def test_no_more_pairs_a_task_than_asked_for(tmp_path):
    pairs = [{"chosen": GOOD, "rejected": chat_row(reply=f"b{n}", reward=0)} for n in range(4)]
    report = export_preference(pairs, tmp_path / "o.jsonl", max_per_task=2)
    assert (report["pairs"], report["counts"]["filtered"]) == (2, {"max_per_task": 2})


def test_a_private_column_is_refused_for_pairs_too():
    with pytest.raises(OptionError, match="columns: rubric are private"):
        export_preference([{"chosen": GOOD, "rejected": BAD}], columns=["rubric"])


def test_odd_facts_about_a_pair_are_left_out_or_worked_out(tmp_path):
    odd = {"margin": "wide", "length_delta": None, "chosen_score": True, "tie": 0, "lineage": 7,
           "same_policy": "yes", "task": 9, "first_turn_differs": "no"}  # fmt: skip
    pair = {"chosen": GOOD["messages"], "rejected": BAD["messages"], **odd}
    export_preference([pair], tmp_path / "o.jsonl")
    row = rows_of(tmp_path / "o.jsonl")[0]
    assert (row["length_delta"], row["first_turn_differs"], row["lineage"]) == (8, True, 7)
    assert row.keys().isdisjoint({"margin", "chosen_score", "tie", "same_policy"})


def test_facts_that_no_json_can_hold_make_a_bad_pair(tmp_path):
    pair = {"chosen": GOOD, "rejected": BAD, "chosen_reason": {1, 2}}
    with pytest.raises(SourceError, match=r"expected JSON, got a Python set"):
        export_preference([pair], tmp_path / "o.jsonl")
