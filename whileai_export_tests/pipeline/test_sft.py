"""From a source to SFT files, and through the staged private rows."""

from __future__ import annotations

import pytest

from whileai_export import export_dataset
from whileai_export.pipeline.sft import write_sft
from whileai_export.shared.options import Policy, Selection, SftOptions
from whileai_export_tests.builders import (
    SECRET,
    SYSTEM,
    TOOLS,
    bad_call_row,
    chat_row,
    jsonl,
    rows_of,
    steps_row,
)
from whileai_export_tests.pipeline.exports import sft_rows

THINKS = "<think>where?</think>"


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"unroll": True},
        {"mask_mode": "final"},
        {"max_tool_output_chars": 3},
        {"strip_think": False},
        {"columns": ["task", "row_id", "reward"]},
        {"unroll": True, "columns": ["reward"], "max_tool_output_chars": 3},
        {"trim_tail": True, "drop_failed": True, "min_reward": 0.0},
    ],
    ids=str,
)
@pytest.mark.parametrize("formats", ["openai openai", "trl trl", "openai trl", "trl openai"])
def test_a_training_file_exported_again_does_not_change(tmp_path, formats, options):
    first, second = formats.split()
    rows = [
        steps_row(scenario_id="a", rollout_index=0, reason="r"),
        steps_row(scenario_id="a", rollout_index=1, reward=0, lineage={"run": "x"}),
        steps_row(reply=f"{THINKS}\u2029", scenario_id="b", reward=0.5),
        chat_row("c", "d", reward=0.25, usage={"tokens": 3}),
    ]
    source = jsonl(tmp_path / "s.jsonl", rows)
    between, again, straight = (tmp_path / f"{n}.jsonl" for n in ("1", "2", "3"))
    export_dataset(source, between, SYSTEM, TOOLS, format=first, **options)
    export_dataset(between, again, format=second, **options)
    export_dataset(source, straight, SYSTEM, TOOLS, format=second, **options)
    assert again.read_bytes() == straight.read_bytes()


def test_a_group_without_a_grade_keeps_its_empty_fields(tmp_path):
    once, twice = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    export_dataset([chat_row(reward=None), chat_row(reward=None), chat_row("b")], once)
    export_dataset(once, twice)
    assert once.read_bytes() == twice.read_bytes()
    assert rows_of(twice)[0]["reward_mean"] is None


def test_every_row_has_the_same_columns(tmp_path):
    export_dataset([chat_row(reason="x"), steps_row(tier="t", reward=None)], tmp_path / "o.jsonl")
    first, second = rows_of(tmp_path / "o.jsonl")
    assert list(first) == list(second) == [
        *("messages", "loss_mask", "reward", "reason", "prompt", "tier", "schema_version",
          "group_id", "k", "n0", "n1", "reward_mean", "reward_std"),
    ]  # fmt: skip
    assert (first["tier"], second["reason"], second["reward"]) == (None, None, None)


def test_duplicates_and_rows_past_the_tasks_share_are_counted(tmp_path):
    rows = [chat_row(), chat_row(reward=0), chat_row(reply="b"), chat_row(reply="c"), chat_row("x")]
    options = SftOptions(selection=Selection(dedupe=True, max_per_task=2))
    with write_sft(rows, {"openai": tmp_path / "o.jsonl"}, options=options) as outcome:
        outcome.publish()
    assert outcome.report["counts"]["filtered"] == {"duplicate": 1, "max_per_task": 1}
    replies = [row["messages"][1]["content"] for row in rows_of(tmp_path / "o.jsonl")]
    assert replies == ["At the depot.", "b", "At the depot."]


def test_groups_are_counted_before_any_selection(tmp_path):
    rows = [chat_row(), chat_row(), chat_row(reward=0)]
    export_dataset(rows, tmp_path / "o.jsonl", min_reward=0.5, dedupe=True)
    (row,) = rows_of(tmp_path / "o.jsonl")
    assert (row["k"], row["n0"], row["n1"], row["reward_mean"]) == (3, 1, 2, 0.6666666667)


def test_a_row_that_one_format_cannot_say_is_written_in_the_other(tmp_path):
    options = SftOptions(formats=("openai", "trl", "kto"), policy=Policy(validate=False))
    targets = {name: tmp_path / f"{name}.jsonl" for name in options.formats}
    rows = [bad_call_row(), steps_row(reward=None), steps_row()]
    with write_sft(rows, targets, options=options) as outcome:
        outcome.publish()
    told = outcome.report
    assert {o["format"]: o["rows"] for o in told["outputs"]} == {"openai": 3, "trl": 2, "kto": 1}
    assert told["counts"]["written"] == 3
    arguments = rows_of(targets["openai"])[0]["messages"][1]["tool_calls"][0]["function"]
    assert arguments == {"name": "track", "arguments": "7]"}


def test_a_format_without_a_line_has_no_file_and_loses_its_former_one(tmp_path):
    options = SftOptions(formats=("openai", "kto"))
    targets = {name: tmp_path / f"{name}.jsonl" for name in options.formats}
    targets["kto"].write_text("old\n")
    with write_sft([chat_row(reward=None)], targets, options=options) as outcome:
        outcome.publish()
    assert [path.name for path in tmp_path.iterdir()] == ["openai.jsonl"]


def test_ungraded_rows_are_filtered_where_only_kto_is_written(tmp_path):
    options = SftOptions(formats=("kto",))
    rows = [chat_row(reward=None), chat_row(), chat_row(reward=2)]
    with write_sft(rows, {"kto": tmp_path / "k.jsonl"}, options=options) as outcome:
        assert outcome.report["counts"]["filtered"] == {"ungraded": 2}
        assert outcome.report["counts"]["written"] == 1


def test_an_empty_outcome_withdraws_the_former_files(tmp_path):
    target = tmp_path / "o.jsonl"
    target.write_text("old\n")
    options = SftOptions(selection=Selection(min_reward=0.5))
    with write_sft([chat_row(reward=0)], {"openai": target}, options=options) as outcome:
        assert outcome.empty
        assert target.exists()
        outcome.publish()
    assert not target.exists()


def test_an_outcome_that_is_left_leaves_nothing(tmp_path):
    with write_sft([chat_row()], {"openai": tmp_path / "o.jsonl"}, options=SftOptions()):
        pass
    assert list(tmp_path.iterdir()) == []


def test_capped_tool_output_is_counted_on_every_sample(tmp_path):
    options = SftOptions(unroll=True, max_tool_output_chars=2)
    rows = sft_rows([steps_row()], tmp_path / "o.jsonl", options)
    assert [row["tool_output_truncated"] for row in rows] == [None, 1]
    assert rows[1]["messages"][2]["content"] == '{"\n[... 13 chars of tool output truncated]'
    assert rows[1]["tool_output_chars_cut"] == 13


def test_an_empty_assistant_turn_gives_no_sample(tmp_path):
    turns = [
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": ""},
        {"role": "user", "content": "b"},
        {"role": "assistant", "content": "c"},
    ]
    (row,) = sft_rows([{"messages": turns}], tmp_path / "o.jsonl", SftOptions(unroll=True))
    assert row["unroll"] == {"turn": 2, "turns": 2}
    assert row["loss_mask"] == [0, 0, 0, 1]


def test_tools_of_any_form_are_written_in_one(tmp_path):
    bare = [{"name": "track", "parameters": {"type": "object"}}]
    export_dataset([chat_row()], tmp_path / "o.jsonl", tools=bare)
    assert rows_of(tmp_path / "o.jsonl")[0]["tools"] == [
        {"type": "function", "function": {"name": "track", "parameters": {"type": "object"}}}
    ]


def test_a_grader_column_that_quotes_the_block_is_left_out_and_counted(tmp_path):
    row = chat_row(reason="It knew the amber door code is 4418.", privileged=SECRET)
    report = export_dataset([row], tmp_path / "o.jsonl")
    assert "reason" not in rows_of(tmp_path / "o.jsonl")[0]
    assert report["columns_left_out"] == {"reason": 1}


def test_names_that_trainers_act_on_are_moved_aside(tmp_path):
    row = chat_row(id="7", source="night", city="Köln", label="x")
    export_dataset([row], tmp_path / "o.jsonl", columns=["id", "city", "source", "label"])
    written_row = rows_of(tmp_path / "o.jsonl")[0]
    assert list(written_row) == [
        *("messages", "loss_mask", "prompt", "city", "meta_id", "meta_label", "meta_source")
    ]
