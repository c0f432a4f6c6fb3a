from __future__ import annotations

import json
from typing import Any

import pytest

from whileai_export import GateError, export_dataset, export_preference, leak_report
from whileai_export_tests.hard_inputs.doors import (
    GOOD,
    POOR,
    PRIVATE,
    call,
    exported,
    kept_out,
    kept_out_of_pairs,
    paired,
    read,
    result,
    row,
    says,
    user,
    written,
)
from whileai_export_tests.hard_inputs.rows import shows

LENGTH = len(PRIVATE)
PROBLEM = f"quotes {LENGTH} characters of privileged `note`"
SPOKEN = {
    "content": (row(says(f"So: {PRIVATE}.")), "$.messages[1].content"),
    "stripped_reasoning": (row(says(f"<think>{PRIVATE}</think>Hm.")), "$.messages[1].content"),
    "final_text": (row(says("Hm."), final_text=f"So: {PRIVATE}."), "$.final_text"),
    "reasoning": (
        row({**says("Hm."), "reasoning_content": f"So: {PRIVATE}."}),
        "$.messages[1].reasoning_content",
    ),
    "arguments": (
        row(says("", call({"q": [{"deep": f"is {PRIVATE}?"}]})), result("no")),
        "$.messages[1].tool_calls[0].arguments.q[0].deep",
    ),
    "arguments_as_text": (
        row(says("", call(json.dumps({"q": PRIVATE}))), result("no")),
        "$.messages[1].tool_calls[0].arguments.q",
    ),
}


@shows("leak-everywhere", "leak-silent", "leak-pairs")
@pytest.mark.parametrize(("bad", "at"), SPOKEN.values(), ids=SPOKEN)
def test_whatever_the_assistant_says_is_searched(tmp_path, bad, at):
    kept_out(tmp_path, bad, "privileged_leak", at, PROBLEM)
    kept_out_of_pairs(tmp_path, bad, "privileged_leak", at, PROBLEM)


DISGUISED = {
    "upper_case": PRIVATE.upper(),
    "full_width": "".join(chr(ord(c) + 0xFEE0) if "a" <= c <= "z" else c for c in PRIVATE),
    "zero_width": "\u200b".join(PRIVATE),
    "soft_hyphen": PRIVATE.replace("lantern", "lan\u00adtern"),
    "emphasis": PRIVATE.replace("amber", "**amber**"),
    "white_space": PRIVATE.replace(" ", " \n\t"),
}


@shows("leak-disguised")
@pytest.mark.parametrize("words", DISGUISED.values(), ids=DISGUISED)
def test_the_same_words_in_other_characters_are_found(tmp_path, words):
    bad = row(says(f"So: {words}!"))
    kept_out(tmp_path, bad, "privileged_leak", "$.messages[1].content", PROBLEM)


@shows("leak-disguised")
def test_quotes_dashes_and_closing_punctuation_are_folded(tmp_path):
    block = {"note": "the guest's room - number nine."}
    bad = row(says("So: The guest\u2019s room \u2014 number nine"), privileged=block)
    with pytest.raises(GateError, match=r"quotes 31 characters of privileged `note`"):
        export_dataset(written(tmp_path, bad), tmp_path / "x.jsonl")


SENTENCE = "Offer the refund only when the customer names the old order."
LONG = f"You are a tired traveller with two bags. {SENTENCE} Never mention the voucher."
BLOCKS: dict[str, tuple[Any, str, bool]] = {
    "deep": ({"a": [{"b": PRIVATE}]}, PRIVATE, True),
    "text": (PRIVATE, PRIVATE, True),
    "list": ([PRIVATE], PRIVATE, True),
    "a_key_is_no_value": ({"the amber lantern": "x"}, "the amber lantern", False),
    "short": ({"a": "eleven char"}, "eleven char", False),
    "long_number": ({"a": 48213}, "room 48213", True),
    "short_number": ({"a": 4821}, "room 4821", False),
    "number_in_a_longer_one": ({"a": 48213}, "room 1482137", False),
    "sentence_of_a_long_text": ({"a": LONG}, f"Well. {SENTENCE}", True),
    "short_sentence": ({"a": LONG}, "Never mention the voucher.", False),
}


@shows("leak-whole-block")
@pytest.mark.parametrize(("block", "reply", "leaks"), BLOCKS.values(), ids=BLOCKS)
def test_every_value_counts_and_short_ones_do_not(tmp_path, block, reply, leaks):
    report = leak_report(written(tmp_path, row(says(reply), privileged=block)))
    assert report["n_leaked"] == leaks


@shows("leak-told")
@pytest.mark.parametrize(
    "teller", [user(PRIVATE), {"role": "system", "content": PRIVATE}, result(PRIVATE)]
)
def test_what_the_assistant_was_told_is_disclosed_and_no_leak(tmp_path, teller):
    asked = [says("", call({}))] if teller["role"] == "tool" else []
    _, report = exported(tmp_path, row(*asked, teller, says(f"So {PRIVATE}.")))
    told = report["privileged_leaks"]
    assert (told["n_checked"], told["n_leaked"], told["n_disclosed"]) == (1, 0, 1)


@shows("leak-told")
def test_what_it_is_told_only_later_is_a_leak(tmp_path):
    bad = row(says(f"So {PRIVATE}."), user(PRIVATE), says("Yes."))
    kept_out(tmp_path, bad, "privileged_leak", "$.messages[1].content", PROBLEM)


@shows("leak-unchecked")
@pytest.mark.parametrize("block", [None, {}, {"a": "short"}, []])
def test_a_source_without_a_searchable_value_was_not_checked(tmp_path, block):
    bare = [{**GOOD, "privileged": block}]
    _, report = exported(tmp_path, *bare)
    assert report["privileged_leaks"]["checked"] is False
    assert report["privileged_leaks"]["summary"].startswith("not checked")
    assert report["findings"]["privileged_leak"]["checked"] is False
    assert leak_report(made for made in bare)["checked"] is False


@shows("leak-unchecked")
def test_a_generator_is_checked_like_a_list():
    rows = [row(says(PRIVATE)), GOOD]
    assert leak_report(made for made in rows) == leak_report(rows)
    assert leak_report(rows)["n_leaked"] == 1


@shows("leak-silent")
def test_a_finding_names_row_field_and_length(tmp_path):
    bad = row(says(PRIVATE), scenario_id="s9", rollout_index=3)
    [finding] = leak_report(written(tmp_path, GOOD, bad))["leaked"]
    assert finding == {
        "gate": "privileged_leak",
        "at": "$.messages[1].content",
        "problem": PROBLEM,
        "row": 1,
        "line": 2,
        "field": "note",
        "length": LENGTH,
        "scenario_id": "s9",
        "rollout_index": 3,
    }


@shows("leak-reason")
def test_the_graders_text_that_quotes_the_block_is_left_out_and_counted(tmp_path):
    quoting = {"reason": f"It missed that {PRIVATE}."}
    rows, report = exported(tmp_path, {**GOOD, **quoting}, {**POOR, "reason": "Fine."})
    assert [told["reason"] for told in rows] == [None, "Fine."]
    assert report["columns_left_out"] == {"reason": 1}
    report = paired(tmp_path, {**GOOD, **quoting}, {**POOR, **quoting})
    assert report["columns_left_out"] == {"chosen_reason": 1, "rejected_reason": 1}
    [pair] = read(tmp_path / "pairs.jsonl")
    assert PRIVATE not in json.dumps(pair)
    given = [{"chosen": GOOD, "rejected": POOR, "chosen_reason": quoting["reason"]}]
    report = export_preference(given, tmp_path / "given.jsonl")
    assert report["columns_left_out"] == {"chosen_reason": 1}
