from __future__ import annotations

from typing import Any

import pytest

from whileai_export import GateError, export_dataset
from whileai_export_tests.hard_inputs.doors import (
    GOOD,
    POOR,
    call,
    exported,
    paired,
    result,
    row,
    says,
    turns,
    user,
    written,
)
from whileai_export_tests.hard_inputs.rows import shows

SYSTEM = {"role": "system", "content": "Be brief."}
TOOLS = [{"type": "function", "function": {"name": "look"}}]


def with_system(*prompts: str) -> dict[str, Any]:
    talk = row(says("Here."))
    talk["messages"][:0] = [{"role": "system", "content": prompt} for prompt in prompts]
    return talk


@shows("system-replaced")
def test_the_callers_prompt_takes_the_place_of_the_rows_own(tmp_path):
    rows, report = exported(tmp_path, with_system("Be long."), system_prompt="Be brief.")
    assert rows[0]["messages"][:2] == [SYSTEM, user("Where?")]
    assert report["repairs"] == {"system_replaced": 1}
    _, report = exported(tmp_path, with_system("Be brief."), system_prompt="Be brief.")
    assert report["repairs"] == {}


@shows("system-twice")
def test_two_prompts_of_its_own_are_kept_and_found(tmp_path):
    talk = with_system("Be brief.", "Be kind.")
    rows, report = exported(tmp_path, talk)
    assert [turn["role"] for turn in rows[0]["messages"]] == [
        *("system", "system", "user", "assistant"),
    ]
    [finding] = report["findings"]["structure"]["named"]
    assert (finding["line"], finding["at"]) == (1, "$.messages[1]")
    with pytest.raises(GateError, match="structure_invalid: 1 of 1 row"):
        export_dataset(written(tmp_path, talk), tmp_path / "strict.jsonl", strict=True)
    assert not (tmp_path / "strict.jsonl").exists()


@shows("tools-own")
def test_own_tools_are_kept_where_the_caller_gives_none(tmp_path):
    talk = row(says("Here."), tools=TOOLS)
    assert exported(tmp_path, talk)[0][0]["tools"] == TOOLS
    other = [{"type": "function", "function": {"name": "find"}}]
    assert exported(tmp_path, talk, tools=other)[0][0]["tools"] == other


def answers(folder: Any, *results: Any) -> list[tuple[str, str]]:
    asked = says("", call({}, "a", "look"), call({}, "b", "find"))
    found = turns(folder, row(asked, *results, says("Here.")))
    return [(turn["tool_call_id"], turn["content"]) for turn in found if turn["role"] == "tool"]


@shows("results-reordered")
def test_parallel_results_are_written_in_the_order_of_the_calls(tmp_path):
    assert answers(tmp_path, result("2", "b"), result("1", "a")) == [("a", "1"), ("b", "2")]


@shows("results-without-id")
def test_results_without_ids_answer_by_name_then_by_order(tmp_path):
    named = result("2", None, name="find")
    assert answers(tmp_path, named, result("1", None)) == [("a", "1"), ("b", "2")]
    assert answers(tmp_path, result("1", None), result("2", None)) == [("a", "1"), ("b", "2")]


@shows("results-without-id")
def test_a_result_never_answers_an_earlier_turn(tmp_path):
    talk = row(says("", call({})), user("And?"), says("Hm."), result("late", None), says("Here."))
    rows, report = exported(tmp_path, talk)
    assert "tool_call_id" not in rows[0]["messages"][4]
    assert report["findings"]["structure"]["count"] == 1


@shows("id-taken")
def test_a_new_id_is_one_that_no_call_has(tmp_path):
    asked = says("", call({}, None), call({}, "call_0000"))
    found = turns(tmp_path, row(asked, result("1", None), result("2", "call_0000"), says("Here.")))
    assert [one["id"] for one in found[1]["tool_calls"]] == ["call_0001", "call_0000"]
    assert [turn["tool_call_id"] for turn in found[2:4]] == ["call_0001", "call_0000"]


@shows("id-again")
def test_an_id_that_a_later_turn_uses_again_is_kept(tmp_path):
    talk = row(says("", call({})), result("1"), says("", call({})), result("2"), says("Here."))
    rows, report = exported(tmp_path, talk)
    kept = [turn.get("tool_call_id") for turn in rows[0]["messages"]]
    assert kept == [None, None, "a", None, "a", None]
    assert report["findings"]["structure"]["count"] == 0


BROKEN = {
    "no_call": ([says("Hm."), result("1", "zz"), says("Here.")], "$.messages[2].tool_call_id"),
    "no_result": ([says("", call({})), user("And?")], "$.messages[1].tool_calls[0]"),
    "one_id_twice": (
        [says("", call({}), call({})), result("1"), result("2"), says("Here.")],
        "$.messages[1].tool_calls[1].id",
    ),
}


@shows("links-broken")
@pytest.mark.parametrize(("talk", "at"), BROKEN.values(), ids=BROKEN)
def test_calls_and_results_that_do_not_meet_are_found_and_refused_if_strict(tmp_path, talk, at):
    rows, report = exported(tmp_path, GOOD, row(*talk))
    assert len(rows) == 2
    seen = report["findings"]["structure"]
    assert (seen["count"], seen["named"][0]["line"], seen["named"][0]["at"]) == (1, 2, at)
    assert any("structure" in warning for warning in report["warnings"])
    with pytest.raises(GateError, match=r"structure_invalid: 1 of 2 rows\. line 2"):
        export_dataset(written(tmp_path, GOOD, row(*talk)), tmp_path / "x.jsonl", strict=True)
    assert not (tmp_path / "x.jsonl").exists()


@shows("ends-open")
@pytest.mark.parametrize("tail", [[says("", call({})), result("1")], [user("And?")]])
def test_an_open_end_is_exported_and_counted_or_trimmed(tmp_path, tail):
    talk = row(says("Here."), user("Again?"), says("Here!"), *tail)
    rows, report = exported(tmp_path, talk)
    assert len(rows[0]["messages"]) == 4 + len(tail)
    assert report["open_ended"] == 1
    rows, report = exported(tmp_path, talk, trim_tail=True)
    assert rows[0]["messages"][-1]["role"] == "assistant"
    assert report["open_ended"] == 0
    rows, _ = exported(tmp_path, talk, unroll=True)
    assert {told["messages"][-1]["role"] for told in rows} == {"assistant"}
    paired(tmp_path, talk | {"reward": 1}, POOR, min_margin=1.0)
    chosen = exported_pair(tmp_path)["chosen"]
    assert chosen[-1]["role"] == "assistant"


def exported_pair(folder: Any) -> dict[str, Any]:
    import json

    return json.loads((folder / "pairs.jsonl").read_text("utf-8"))
