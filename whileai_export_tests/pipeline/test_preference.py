"""Rows to pairs to files, and pairs that somebody else made."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from whileai_export import (
    GateError,
    OptionError,
    SourceError,
    build_preference_pairs,
    export_preference,
)
from whileai_export.pipeline import run
from whileai_export.pipeline.preference import write_pairs
from whileai_export.pipeline.sft import stage_training_rows
from whileai_export.shared.careful import CAREFUL_PAIRS
from whileai_export.shared.options import PairOptions, Selection
from whileai_export_tests.builders import (
    SYSTEM,
    TOOLS,
    bad_call_row,
    chat_row,
    jsonl,
    leaking_row,
    rows_of,
    steps_row,
)

GOOD, BAD = chat_row(), chat_row(reply="Lost.", reward=0.0)
FORMATS = ("openai", "trl", "trl-completion", "fireworks")


def mixed(count: int = 40) -> list[dict]:
    """Many rollouts of some tasks, some of which have nothing to tell them apart."""
    return [
        chat_row(
            ask=f"Where is parcel {n % 5}?",
            reply=f"At stop {n % 7}.",
            reward=(n % 3) / 2,
            scenario_id=f"sc-{n % 5}",
            reason=f"because {n}",
        )
        for n in range(count)
    ]


def written(source: object, folder: Path, options: PairOptions, **more: object) -> dict[str, bytes]:
    targets = {name: folder / f"p.{name}.jsonl" for name in options.formats}
    with write_pairs(source, targets, options=options, **more) as outcome:
        outcome.publish()
    return {name: path.read_bytes() for name, path in targets.items() if path.exists()}


def test_rows_in_another_order_give_the_same_bytes(tmp_path):
    rows = mixed()
    options = PairOptions(formats=FORMATS, min_margin=0.5, max_pairs_per_task=3,
                          columns=("row_id", "task", "chosen_reason"))  # fmt: skip
    made = []
    for seed in range(4):
        random.Random(seed).shuffle(rows)
        made.append(written(jsonl(tmp_path / "s.jsonl", rows), tmp_path, options))
    assert made[0] == made[1] == made[2] == made[3]
    assert len(made[0]["openai"].splitlines()) == 15


def test_bytes_and_report_are_the_same_for_any_number_of_workers(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "CHUNK_BYTES", 1000)
    rows = [*mixed(), "{torn", bad_call_row()]
    source = jsonl(tmp_path / "s.jsonl", rows)
    options = replace(CAREFUL_PAIRS, formats=FORMATS)
    made = []
    for workers in (1, 2, 7):
        targets = {name: tmp_path / f"p.{name}.jsonl" for name in FORMATS}
        with write_pairs(source, targets, options=options, quarantine=tmp_path / "q.jsonl",
                         workers=workers) as outcome:  # fmt: skip
            outcome.publish()
        files = [path.read_bytes() for path in (*targets.values(), tmp_path / "q.jsonl")]
        made.append((files, outcome.report))
    assert made[0] == made[1] == made[2]
    assert [row["line"] for row in rows_of(tmp_path / "q.jsonl")] == [41, 42]


def test_rows_without_a_task_are_never_one_task(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "CHUNK_ROWS", 1)
    rows = [
        {"messages": [{"role": "assistant", "content": text}], "reward": reward}
        for text, reward in (("Hello.", 1), ("Go.", 0))
    ]
    pairs, report = build_preference_pairs(rows)
    assert pairs == []
    assert (report["tasks_seen"], report["without_pair"]) == (2, {"one_rollout": 2})


@pytest.mark.parametrize(
    ("rows", "reasons"),
    [
        ([GOOD], {"one_rollout": 1}),
        ([GOOD, chat_row(reply="b")], {"no_contrast": 1}),
        ([GOOD, chat_row(reply="b", reward=0.5)], {"margin": 1}),
        ([GOOD, chat_row(reply="b", reward=None)], {"ungraded": 1}),
        ([GOOD, {**BAD, "judge_status": "error"}], {"ungraded": 1}),
        ([GOOD, {**BAD, "reward": True}], {"ungraded": 1}),
        ([GOOD, chat_row(reward=0.0)], {"equal_replies": 1}),
        ([GOOD, chat_row(reply="<think>b</think>At the depot. ", reward=0)], {"equal_replies": 1}),
        ([GOOD, {**BAD, "finish_reason": "length"}], {"failed": 1}),
        ([GOOD, chat_row(reply="", reward=0)], {"failed": 1}),
        ([GOOD, chat_row(reply="<agent error>", reward=0)], {"failed": 1}),
        (
            [{**GOOD, "scenario_id": "s"}, chat_row("And now?", "Lost.", 0, scenario_id="s")],
            {"different_ask": 1},
        ),
    ],
)
def test_a_task_without_a_pair_says_why(rows, reasons):
    pairs, report = build_preference_pairs(rows)
    assert (pairs, report["without_pair"]) == ([], reasons)


def test_a_chosen_side_below_the_least_reward_is_a_reason_too(tmp_path):
    rows = [chat_row(reward=0.4), BAD]
    options = PairOptions(min_margin=0.3, selection=Selection(min_reward=0.5))
    with write_pairs(rows, {}, options=options) as outcome:
        assert outcome.report["without_pair"] == {"min_reward": 1}


def test_counts_of_rows_add_up(tmp_path):
    rows = [*mixed(), bad_call_row(), chat_row(reward=None), {**BAD, "finish_reason": "error"}]
    with write_pairs(rows, {}, options=CAREFUL_PAIRS) as outcome:
        told = outcome.report["counts"]
    assert told == {
        "read": 43,
        "unrolled": 0,
        "written": 10,
        "quarantined": 1,
        "filtered": {"failed": 1, "not_paired": 30, "ungraded": 1},
        "refused": 0,
    }


def test_a_leak_on_either_side_refuses(tmp_path):
    for pair in ({"chosen": leaking_row(), "rejected": BAD}, {"chosen": GOOD, "rejected": leaking_row()}):
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


def test_rows_go_through_their_adapter_once(tmp_path):
    class Answer:
        def __init__(self, reply: str, reward: float) -> None:
            self.reply, self.reward = reply, reward

    calls = []

    def adapt(answer: object) -> dict:
        calls.append(answer)
        return chat_row(reply=answer.reply, reward=answer.reward)

    rows = [Answer("a", 1.0), Answer("b", 0.0)]
    made = written(rows, tmp_path, PairOptions(), adapter=adapt)
    assert json.loads(made["openai"])["chosen"][1]["content"] == "a"
    assert len(calls) == 2


def test_pairs_of_staged_rows_have_the_ids_of_their_rows(tmp_path):
    source = jsonl(tmp_path / "night.jsonl", [GOOD, BAD])
    with stage_training_rows(source, tmp_path / "rows.jsonl", simulation="night") as outcome:
        outcome.publish()
    options = replace(CAREFUL_PAIRS, formats=("openai",))
    made = written(tmp_path / "rows.jsonl", tmp_path, options, simulation="other")
    assert list(json.loads(made["openai"])) == [
        "prompt", "chosen", "rejected", "chosen_score", "rejected_score", "margin", "task", "row_id",
    ]  # fmt: skip


def test_a_private_column_is_refused_for_pairs_too():
    with pytest.raises(OptionError, match="columns: rubric are private"):
        export_preference([{"chosen": GOOD, "rejected": BAD}], columns=["rubric"])


def test_a_source_without_a_row_is_refused():
    with pytest.raises(SourceError, match="expected rows, got none"), write_pairs(
        [], {}, options=CAREFUL_PAIRS
    ) as outcome:
        outcome.publish()


def test_unreadable_rows_are_refused_when_pairs_are_built():
    with pytest.raises(SourceError, match="row 1: expected an object"):
        build_preference_pairs([GOOD, 7])


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
