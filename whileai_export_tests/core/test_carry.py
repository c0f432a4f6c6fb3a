import json
from typing import Any

import pytest

from whileai_export.core.carry import carried, identity, scrubbed
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import CARRIED, Repairs, Shape


def columns(
    shape: Shape = "steps", reward: float | None = None, ask: str | None = None, **row: Any
) -> tuple[dict[str, Any], Repairs]:
    return carried(row, shape, reward, ask)


def test_every_carried_column_is_carried_in_its_order():
    row = dict.fromkeys(reversed(CARRIED), "x")
    found, repairs = carried(row, "messages", 0.5, "x")
    assert tuple(found) == CARRIED
    assert found["reward"] == 0.5
    assert repairs == {}


def test_other_columns_and_nulls_stay_behind():
    assert columns(unknown_column=1, privileged={"a": 1}, tier=None, stance="calm") == (
        {"stance": "calm"},
        {},
    )


def test_a_reward_that_is_no_number_is_absent():
    assert columns(reward=None) == ({}, {})


def test_the_ask_stands_under_prompt_where_its_column_belongs():
    found, _ = columns(ask="hi", reward=1.0, reason="good", scenario_id="s", tier="t")
    assert list(found) == ["reward", "reason", "prompt", "scenario_id", "tier"]
    assert found["prompt"] == "hi"


@pytest.mark.parametrize(("id", "text"), [(7, "7"), (7.0, "7"), ("7", "7"), (2**70, str(2**70))])
def test_ids_are_text(id: object, text: str):
    assert columns(scenario_id=id)[0] == {"scenario_id": text}
    assert identity(id, "$.task_id") == text


@pytest.mark.parametrize("id", [None, ""])
def test_no_id_is_no_column(id: object):
    assert columns(scenario_id=id, tier="t") == ({"tier": "t"}, {})


@pytest.mark.parametrize("id", [True, 7.5, [1], {"a": 1}])
def test_what_is_no_id_is_refused(id: object):
    with pytest.raises(BadRow, match="expected an id, got "):
        columns(scenario_id=id)


@pytest.mark.parametrize(
    "key", ["privileged", "principle", "hidden_state", "reference", "rubric", "vector"]
)
def test_private_keys_never_leave_at_any_depth(key: str):
    world = {"room": 1, "guests": [{"name": "A", key: {"secret": 1}}], key: "x"}
    assert columns(world_state=world) == (
        {"world_state": {"room": 1, "guests": [{"name": "A"}]}},
        {"private_keys_removed": 2},
    )
    assert world[key] == "x"


@pytest.mark.parametrize("key", ["privileged", "rubric", "hidden_state"])
def test_private_keys_never_leave_in_json_text_either(key: str):
    text = json.dumps({"a": [{key: "what only the grader knows", "b": 1}]})
    kept = '{"a": [{"b": 1}]}'
    for value, wanted, removed in (
        (text, kept, 1),
        ([text], [kept], 1),
        ({"note": text, key: 1}, {"note": kept}, 2),
        (json.dumps({"inner": text}), json.dumps({"inner": kept}), 1),
    ):
        columns, repairs = carried({"lineage": value}, "steps", None, None)
        assert columns["lineage"] == wanted
        assert repairs == {"private_keys_removed": removed}


@pytest.mark.parametrize(
    "text",
    ['{"principles": 1}', "the rubric {a}", '{"rubric": ', '{"a": "\\ud800 rubric"}', "{}"],
)
def test_text_that_hides_no_private_key_stays_as_it_is(text: str):
    assert carried({"reason": text}, "steps", None, None) == ({"reason": text}, {})


def test_what_the_user_asked_is_not_taken_apart():
    ask = '{"query": "parts", "reference": "ISO 4418"}'
    assert carried({"prompt": ask}, "steps", None, ask) == ({"prompt": ask}, {})


def test_nulls_inside_a_column_stay():
    lineage = {"a": None, "b": [None]}
    assert columns(lineage=lineage)[0]["lineage"] is lineage
    assert columns(lineage={**lineage, "rubric": "x", "c": True})[0] == {
        "lineage": {**lineage, "c": True}
    }


def test_what_is_no_number_is_null_and_counted():
    nan = float("nan")
    assert columns(logprob=nan, token_logprobs=[-1.0, float("-inf")], usage={"in": nan}) == (
        {"token_logprobs": [-1.0, None], "usage": {"in": None}},
        {"nan_nulled": 3},
    )


def test_integers_past_64_bit_become_their_digits():
    assert columns(n_tokens=-(2**63), usage=[2**64 - 1]) == (
        {"n_tokens": -(2**63), "usage": [2**64 - 1]},
        {},
    )
    assert columns(n_tokens=2**64, usage={"in": -(2**63) - 1, "out": 2**64 - 1}) == (
        {
            "n_tokens": "18446744073709551616",
            "usage": {"in": "-9223372036854775809", "out": 2**64 - 1},
        },
        {"big_integers_as_text": 2},
    )


def test_a_column_of_more_than_two_hundred_levels_is_refused():
    value: Any = []
    for _ in range(200):
        value = [value]
    with pytest.raises(BadRow) as refused:
        columns(lineage=value)
    assert refused.value.at == "$.lineage"
    assert columns(lineage=value[0])[0] == {"lineage": value[0]}


def test_a_closer_look_allows_as_many_levels():
    value: Any = [float("nan")]
    for _ in range(199):
        value = [value]
    assert columns(lineage=value)[1] == {"nan_nulled": 1}
    with pytest.raises(BadRow):
        columns(lineage=[value])


def test_only_a_training_row_keeps_what_the_export_added():
    row = {"group_id": "g", "k": 2, "unroll": {"turn": 1, "turns": 2}, "row_id": "r", "task": "t"}
    row |= {"tool_output_truncated": 1, "tool_output_chars_cut": 9}
    assert carried(row, "messages", None, None) == ({}, {})
    found, _ = carried({**row, "reward_mean": None, "tier": "x"}, "training", 1.0, "ask")
    assert list(found) == [
        *("reward", "prompt", "tier", "task", "row_id", "unroll"),
        *("tool_output_truncated", "tool_output_chars_cut", "group_id", "k"),
    ]


@pytest.mark.parametrize(("value", "kind"), [({"n": 1}, "an object"), ([1], "a list")])
def test_a_rollout_is_no_collection(value: Any, kind: str):
    with pytest.raises(BadRow) as refused:
        columns(rollout_index=value)
    told = (refused.value.problem, refused.value.at)
    assert told == (f"expected a number, got {kind}", "$.rollout_index")


def test_a_value_can_be_scrubbed_of_nothing_private():
    value = {"reference": float("nan"), "n": 2**70}
    assert scrubbed(value, frozenset()) == (
        {"reference": None, "n": str(2**70)},
        {"nan_nulled": 1, "big_integers_as_text": 1},
    )
