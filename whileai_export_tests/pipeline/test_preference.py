"""Rows to pairs to files, and pairs that somebody else made."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from whileai_export import (
    SourceError,
    build_preference_pairs,
)
from whileai_export.pipeline import run
from whileai_export.pipeline.preference import write_pairs
from whileai_export.pipeline.sft import stage_training_rows
from whileai_export.shared.careful import CAREFUL_PAIRS
from whileai_export.shared.options import PairOptions, Selection
from whileai_export_tests.builders import (
    bad_call_row,
    chat_row,
    jsonl,
    rows_of,
)
from whileai_export_tests.pipeline.exports import pair_files

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


def test_rows_in_another_order_give_the_same_bytes(tmp_path):
    rows = mixed()
    options = PairOptions(formats=FORMATS, min_margin=0.5, max_pairs_per_task=3,
                          columns=("task", "chosen_reason"))  # fmt: skip
    made = []
    for seed in range(4):
        random.Random(seed).shuffle(rows)
        made.append(pair_files(jsonl(tmp_path / "s.jsonl", rows), tmp_path, options))
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


def test_rows_go_through_their_adapter_once(tmp_path):
    class Answer:
        def __init__(self, reply: str, reward: float) -> None:
            self.reply, self.reward = reply, reward

    calls = []

    def adapt(answer: object) -> dict:
        calls.append(answer)
        return chat_row(reply=answer.reply, reward=answer.reward)

    rows = [Answer("a", 1.0), Answer("b", 0.0)]
    made = pair_files(rows, tmp_path, PairOptions(), adapter=adapt)
    assert json.loads(made["openai"])["chosen"][1]["content"] == "a"
    assert len(calls) == 2


def test_pairs_of_staged_rows_have_the_ids_of_their_rows(tmp_path):
    source = jsonl(tmp_path / "night.jsonl", [GOOD, BAD])
    with stage_training_rows(source, tmp_path / "rows.jsonl", simulation="night") as outcome:
        outcome.publish()
    options = replace(CAREFUL_PAIRS, formats=("openai",))
    made = pair_files(tmp_path / "rows.jsonl", tmp_path, options, simulation="other")
    assert list(json.loads(made["openai"])) == [
        *("prompt", "chosen", "rejected"),
        *("chosen_score", "rejected_score", "margin", "task", "row_id"),
    ]


def test_a_source_without_a_row_is_refused():
    with (
        pytest.raises(SourceError, match="expected rows, got none"),
        write_pairs([], {}, options=CAREFUL_PAIRS) as outcome,
    ):
        outcome.publish()


def test_unreadable_rows_are_refused_when_pairs_are_built():
    with pytest.raises(SourceError, match="row 1: expected an object"):
        build_preference_pairs([GOOD, 7])
