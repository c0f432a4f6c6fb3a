from __future__ import annotations

import pytest

from whileai_export import (
    OptionError,
    SourceError,
    build_preference_pairs,
    export_dataset,
    export_preference,
    to_trl,
    training_rows,
)
from whileai_export_tests.builders import SYSTEM, TOOLS, chat_row, rows_of, steps_row

GOOD, BAD = steps_row(), steps_row(reply="Lost.", reward=0.0)


@pytest.mark.parametrize("options", [{}, {"unroll": True}, {"mask_mode": "final"}], ids=str)
def test_training_rows_become_the_rows_of_a_trl_file(tmp_path, options):
    rows = [steps_row(reason="r"), steps_row(reason="s", reward=0.25)]
    export_dataset(rows, tmp_path / "o.jsonl", SYSTEM, TOOLS, format="trl", **options)
    assert to_trl(training_rows(rows, SYSTEM, TOOLS, **options)) == rows_of(tmp_path / "o.jsonl")


def test_trl_rows_stay_as_they_are(tmp_path):
    export_dataset([steps_row()], tmp_path / "o.jsonl", format="trl")
    rows = rows_of(tmp_path / "o.jsonl")
    assert to_trl(rows) == rows


def test_preference_rows_become_the_rows_of_a_trl_file(tmp_path):
    pairs, _ = build_preference_pairs([GOOD, BAD])
    for name in ("openai", "trl"):
        export_preference(pairs, tmp_path / name, SYSTEM, TOOLS, format=name)
    trl = rows_of(tmp_path / "trl")
    assert to_trl(rows_of(tmp_path / "openai"), kind="preference") == trl
    assert to_trl(trl, kind="preference") == trl


def test_a_pair_without_an_answer_is_dropped():
    turns = GOOD | {"steps": [], "final_text": ""}
    assert to_trl([{"chosen": GOOD, "rejected": turns}], kind="preference") == []


def test_a_row_of_another_shape_becomes_one_too():
    (row,) = to_trl([steps_row(reason="r", rubric="x", privileged={"note": "y"})])
    assert list(row) == ["messages", "tools", "reward", "reason", "prompt_text"]
    assert row["messages"][1]["tool_calls"][0]["function"]["arguments"] == {"parcel": "7"}


def test_what_only_the_grader_may_see_stays_behind():
    (row,) = to_trl([chat_row(privileged={"a": 1}, lineage={"rubric": "x", "run": 1})])
    assert row.keys() == {"messages", "reward", "lineage"}
    assert row["lineage"] == {"run": 1}
    (pair,) = to_trl([{"chosen": GOOD, "rejected": BAD, "privileged": 1}], kind="preference")
    assert "privileged" not in pair


@pytest.mark.parametrize(
    ("rows", "kind", "problem"),
    [
        ([7], "training", "row 0: expected an object"),
        ([chat_row(), {}], "training", "row 1: expected a row with messages"),
        ([{"chosen": GOOD}], "preference", "row 0: .* got none under rejected"),
        ([{"prompt": [], "completion": []}], "training", "a row of format trl-completion"),
    ],
)
def test_what_is_no_row_is_named(rows, kind, problem):
    with pytest.raises(SourceError, match=problem):
        to_trl(rows, kind)


def test_another_kind_is_refused():
    with pytest.raises(OptionError, match="kind: expected one of training, preference"):
        to_trl([], "dpo")
