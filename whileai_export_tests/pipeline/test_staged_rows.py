"""The staged private rows, and what is made of them later."""

from __future__ import annotations

from dataclasses import replace

import pytest

from whileai_export import GateError, export_dataset
from whileai_export.pipeline.sft import write_sft
from whileai_export.shared.careful import CAREFUL_SFT
from whileai_export.shared.options import Policy, SftOptions
from whileai_export_tests.builders import (
    SECRET,
    SYSTEM,
    TOOLS,
    bad_call_row,
    chat_row,
    leaking_row,
    rows_of,
    steps_row,
)
from whileai_export_tests.pipeline.exports import sft_rows, staged

THINKS = "<think>where?</think>"


def test_staged_rows_are_private_and_keep_what_later_gates_need(tmp_path):
    row = steps_row(reply=f"{THINKS}At the depot.", privileged=SECRET, finish_reason="length")
    target = staged(tmp_path, ["", row], system_prompt=SYSTEM, tools=TOOLS)
    assert target.stat().st_mode & 0o777 == 0o600
    kept = rows_of(target)[0]
    assert kept["privileged"] == SECRET
    assert kept["source_line"] == 2
    assert kept["finish_reason"] == "length"
    assert kept["task"] == "Where is parcel 7?"
    assert kept["messages"][-1]["content"] == f"{THINKS}At the depot."
    assert kept["messages"][2]["tool_calls"][0]["function"]["arguments"] == {"parcel": "7"}
    assert "loss_mask" not in kept


def test_staged_rows_keep_the_mask_they_came_with(tmp_path):
    kept = rows_of(staged(tmp_path, [chat_row(loss_mask=[0, 0])]))
    assert kept[0]["loss_mask"] == [0, 0]


def test_staged_rows_know_their_lines_in_every_worker(tmp_path, monkeypatch):
    monkeypatch.setattr("whileai_export.pipeline.run.CHUNK_BYTES", 400)
    rows = [chat_row(rollout_index=n) for n in range(9)]
    kept = rows_of(staged(tmp_path, [*rows[:4], "", *rows[4:]], workers=2))
    assert [row["source_line"] for row in kept] == [1, 2, 3, 4, 6, 7, 8, 9, 10]


def test_findings_on_staged_rows_name_the_lines_of_the_first_source(tmp_path):
    kept = staged(tmp_path, ["", "", chat_row(), "", leaking_row()],
                  options=SftOptions(policy=Policy(validate=False)))  # fmt: skip
    with pytest.raises(GateError, match="line 5 "):
        export_dataset(kept, tmp_path / "o.jsonl")


def test_a_row_without_an_ask_is_known_again(tmp_path):
    row = {"messages": [{"role": "assistant", "content": "Hello."}], "scenario_id": "s"}
    kept = staged(tmp_path, ["", row])
    with write_sft(kept, {}, options=SftOptions()) as outcome:
        assert outcome.report["source"]["shapes"] == {"training": 1}
    assert sft_rows(kept, tmp_path / "o.jsonl", SftOptions())[0]["messages"] == row["messages"]


def test_the_mask_of_staged_rows_is_made_late(tmp_path):
    kept = staged(tmp_path, [steps_row()])
    for mode, mask in (("assistant", [0, 1, 0, 1]), ("final", [0, 0, 0, 1])):
        rows = sft_rows(kept, tmp_path / "o.jsonl", SftOptions(mask_mode=mode))
        assert rows[0]["loss_mask"] == mask


def test_a_turn_that_is_empty_once_reasoning_is_stripped_is_not_trained(tmp_path):
    turns = [
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": THINKS},
        {"role": "user", "content": "b"},
        {"role": "assistant", "content": "c"},
    ]
    kept = staged(tmp_path, [{"messages": turns, "reward": 1}])
    assert sft_rows(kept, tmp_path / "o.jsonl", SftOptions())[0]["loss_mask"] == [0, 0, 0, 1]


def test_samples_of_staged_rows_have_ids_of_their_own_and_no_group(tmp_path):
    kept = staged(tmp_path, [steps_row(rollout_index=n) for n in range(2)])
    options = SftOptions(unroll=True, columns=("row_id", "task"))
    rows = sft_rows(kept, tmp_path / "o.jsonl", options)
    direct = sft_rows([steps_row(rollout_index=n) for n in range(2)], tmp_path / "p.jsonl",
                     options, simulation="night")  # fmt: skip
    assert len({row["row_id"] for row in rows}) == 4
    assert [row["row_id"] for row in rows] == [row["row_id"] for row in direct]
    assert all("group_id" not in row for row in rows)


def test_groups_count_rollouts_that_were_kept_out_later(tmp_path):
    rows = [steps_row(), bad_call_row(), leaking_row(prompt="Where is parcel 7?", reward=0)]
    options = SftOptions(policy=Policy(on_bad_row="quarantine", on_leak="quarantine",
                                       max_quarantined=1))  # fmt: skip
    kept = staged(tmp_path, rows, options=options)
    careful = replace(CAREFUL_SFT, formats=("openai",))
    row = sft_rows(kept, tmp_path / "o.jsonl", careful, simulation="night")[0]
    assert (row["k"], row["n0"], row["n1"]) == (3, 1, 2)


def test_careful_rows_carry_what_is_published_and_no_more(tmp_path):
    rows = [steps_row(reason="right", rollout_index=n, scenario_id="s") for n in range(2)]
    kept = staged(tmp_path, rows)
    (row,) = sft_rows(kept, tmp_path / "o.jsonl", replace(CAREFUL_SFT, formats=("openai",)))
    assert list(row) == [
        *("messages", "loss_mask", "reward", "prompt", "task", "row_id"),
        *("group_id", "k", "n0", "n1", "reward_mean", "reward_std"),
    ]
