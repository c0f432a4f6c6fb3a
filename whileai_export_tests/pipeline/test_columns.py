from __future__ import annotations

import pytest

from whileai_export.pipeline.columns import (
    ALWAYS,
    absent,
    check_columns,
    chosen,
    kind,
    ordered,
    rank,
    written_name,
)
from whileai_export.shared.errors import OptionError


def test_all_columns_are_kept_where_nobody_chose():
    columns = {"reward": 1.0, "tier": "t"}
    assert chosen(columns, None) is columns


def test_the_chosen_columns_are_kept_with_those_that_always_are():
    columns = {"reward": 1.0, "prompt": "p", "tier": "t", "group_id": "g", "unroll": {}}
    assert chosen(columns, ALWAYS.union(["reward"])) == {
        "reward": 1.0, "prompt": "p", "group_id": "g", "unroll": {},
    }  # fmt: skip


def test_columns_that_were_asked_for_and_stand_nowhere_are_told():
    assert absent(("nope", "tier", "id", "none", "nope"), {"tier", "meta_id"}) == ["nope", "none"]


def test_the_careful_columns_and_those_added_last_are_asked_for_by_nobody():
    assert absent(("row_id", "task", "reward", "margin", "k", "prompt"), ()) == []
    assert absent(None, ()) == []


def test_columns_are_ordered_as_they_are_written():
    mixed = [
        "k",
        "row_id",
        "zebra",
        "schema_version",
        "task",
        "apple",
        "reward",
        "prompt",
        "margin",
    ]
    assert list(ordered(dict.fromkeys(mixed))) == [
        "reward", "prompt", "margin", "apple", "zebra", "task", "schema_version", "row_id", "k",
    ]  # fmt: skip


def test_a_formats_own_prompt_comes_first():
    own = frozenset({"prompt"})
    assert sorted(["messages", "prompt"], key=lambda name: rank(name, own)) == [
        "prompt",
        "messages",
    ]
    assert sorted(["messages", "prompt"], key=rank) == ["messages", "prompt"]


@pytest.mark.parametrize(
    ("name", "ask", "written"),
    [
        ("reward", "prompt_text", "reward"),
        ("prompt", "prompt_text", "prompt_text"),
        ("prompt", "prompt", "prompt"),
        ("input_ids", "prompt", "meta_input_ids"),
        ("source", "prompt", "meta_source"),
        ("label", "prompt", "meta_label"),
    ],
)
def test_a_name_that_a_trainer_acts_on_is_moved_aside(name, ask, written):
    assert written_name(name, ask) == written


@pytest.mark.parametrize(
    "name", ["privileged", "rubric", "source_line", "final_text", "steps_json"]
)
def test_a_private_column_is_never_given(name):
    with pytest.raises(OptionError, match=f"columns: {name} are private and never leave"):
        check_columns(("reward", name))


def test_one_name_twice_is_one_column():
    check_columns(("reward", "reward"))
    check_columns(None)


def test_kinds_are_those_of_a_datasets_features():
    assert [kind(t) for t in (str, float, int, bool, dict, list)] == [
        "string", "float64", "int64", "bool", "json", "json",
    ]  # fmt: skip
