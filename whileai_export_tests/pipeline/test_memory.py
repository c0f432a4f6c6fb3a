from __future__ import annotations

import json

import pytest

from whileai_export import (
    OptionError,
    SourceError,
    build_preference_pairs,
    export_preference,
    training_rows,
)
from whileai_export_tests.builders import (
    SYSTEM,
    TOOLS,
    bad_call_row,
    chat_row,
    jsonl,
    rows_of,
    steps_row,
)


def test_rows_are_those_of_an_openai_file_with_their_own_columns_alone():
    first, second = training_rows([steps_row(tier="t"), chat_row("b")], SYSTEM, TOOLS)
    assert list(first) == [
        *("messages", "loss_mask", "tools", "reward", "prompt", "tier", "schema_version")
    ]
    assert first["messages"][0] == {"role": "system", "content": SYSTEM}
    assert first["tools"] == TOOLS
    assert "tier" not in second


def test_arguments_that_are_no_object_come_back_as_the_text_that_came():
    (row,) = training_rows([bad_call_row()])
    assert row["messages"][1]["tool_calls"][0]["function"]["arguments"] == "7]"


def test_rollouts_of_one_task_carry_their_group():
    rows = training_rows([chat_row(), chat_row(reward=0), chat_row("b")])
    assert [(row["k"], row["n1"]) for row in rows] == [(2, 1), (2, 1), (1, 1)]


def test_samples_carry_no_group():
    rows = training_rows([chat_row(), chat_row()], unroll=True)
    assert all("group_id" not in row for row in rows)
    assert [row["unroll"] for row in rows] == [{"turn": 1, "turns": 1}] * 2


def test_training_rows_are_their_own_training_rows():
    once = training_rows([steps_row(), steps_row(reward=None)], SYSTEM, TOOLS)
    assert training_rows(once) == once


def test_a_row_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(SourceError, match="line 2: expected one JSON object"):
        training_rows(jsonl(tmp_path / "s.jsonl", [chat_row(), "[1]"]))


def test_odd_characters_come_back():
    text = "a\u2028b\u2029c\u0085d\0e\1\2é\U0001f600"
    (row,) = training_rows([chat_row(reply=text)])
    assert row["messages"][1]["content"] == text


def test_an_option_that_cannot_be_meant_is_refused():
    with pytest.raises(OptionError, match="mask_mode"):
        training_rows([chat_row()], mask_mode="last")
    with pytest.raises(OptionError, match="min_margin"):
        build_preference_pairs([chat_row()], min_margin=2)


def test_the_sides_of_a_pair_are_the_rows_themselves():
    good, bad = chat_row(privileged={"note": "x"}), chat_row(reply="Lost.", reward=0.0)
    (pair,), report = build_preference_pairs([bad, good])
    assert (pair["chosen"], pair["rejected"]) == (good, bad)
    assert (pair["prompt"], pair["margin"]) == ("Where is parcel 7?", 1.0)
    assert report == {
        "pairs": 1,
        "tasks_seen": 1,
        "tasks_with_contrast": 1,
        "without_pair": {},
    }


def test_pairs_follow_margin_number_and_length():
    rows = [
        chat_row(reply="a", reward=1),
        chat_row(reply="bb", reward=0.9),
        chat_row(reply="a long answer", reward=0.2),
        chat_row(reply="c", reward=0.4),
    ]

    def made(**options: object) -> list[tuple[str, str]]:
        pairs, _ = build_preference_pairs(rows, **options)
        return [
            tuple(p[s]["messages"][1]["content"] for s in ("chosen", "rejected")) for p in pairs
        ]

    assert made() == []
    assert made(min_margin=0.5) == [("a", "c")]
    assert made(min_margin=0.5, length_match=False) == [("a", "a long answer")]
    assert made(min_margin=0.5, max_pairs_per_task=5) == [("a", "c"), ("bb", "a long answer")]


def test_what_stands_beside_the_rows_stays_with_their_pairs(tmp_path):
    rows = [steps_row(), steps_row(reply="Lost.", reward=0.0)]
    source = jsonl(tmp_path / "night.jsonl", rows)
    beside = {"system_prompt": SYSTEM, "tools": TOOLS}
    (tmp_path / "night.meta.json").write_text(json.dumps(beside))
    (pair,), _ = build_preference_pairs(source)
    assert (pair["chosen"], pair["rejected"]) == ({**rows[0], **beside}, {**rows[1], **beside})
    report = export_preference([pair], tmp_path / "p.jsonl")
    (line,) = rows_of(tmp_path / "p.jsonl")
    assert line["chosen"][0] == {"role": "system", "content": SYSTEM}
    assert line["tools"] == TOOLS
    assert (report["without_system"], report["without_tools"]) == (0, 0)


def test_a_row_that_has_its_own_prompt_and_tools_keeps_them(tmp_path):
    own = {"system_prompt": "Own.", "tools": TOOLS}
    rows = [steps_row(**own), steps_row(reply="Lost.", reward=0.0, **own)]
    source = jsonl(tmp_path / "night.jsonl", rows)
    (tmp_path / "profile.json").write_text('{"policy": "Beside.", "tools": [{"name": "x"}]}')
    (pair,), _ = build_preference_pairs(source)
    assert (pair["chosen"], pair["rejected"]) == (rows[0], rows[1])
