from __future__ import annotations

import json

import pytest

from whileai_export.core.leak import leaks, needles, quotes, repeats
from whileai_export_tests.core.turns import assistant, call, found, tool, user

SECRET = "it's the blue door, on the left side"
BLOCK = {"hidden_state": {"code": SECRET}}
FIRST = "The guest must never hear of the second room."
SECOND = "Say that the house is full until the end of May."
RULES = {"rule": f"{FIRST} {SECOND} Stay calm."}


@pytest.mark.parametrize("sentence", [FIRST, SECOND, SECOND.upper().replace(" ", "\n")])
def test_one_sentence_of_a_long_value_is_a_leak(sentence):
    assert found([user("q"), assistant(f"OK. {sentence} Bye.")], RULES) == [
        ("$.messages[1].content", "rule")
    ]


def test_the_length_is_that_of_what_was_quoted():
    [part], _ = leaks([assistant(SECOND)], None, needles(RULES))
    [whole], _ = leaks([assistant(RULES["rule"])], None, needles(RULES))
    assert (part.length, whole.length) == (len(SECOND), len(RULES["rule"]))


def test_a_short_sentence_of_a_long_value_is_no_leak():
    assert found([assistant("Stay calm.")], RULES) == []


def test_a_sentence_that_was_told_is_disclosed():
    assert leaks([user(FIRST), assistant(FIRST)], None, needles(RULES)) == ([], 1)


def test_a_told_sentence_does_not_excuse_another():
    assert found([user(FIRST), assistant(f"{FIRST} {SECOND}")], RULES) == [
        ("$.messages[1].content", "rule")
    ]


def test_a_value_told_sentence_by_sentence_was_told():
    messages = [user(f"{SECOND} Stay calm."), tool(FIRST), assistant(RULES["rule"])]
    assert leaks(messages, None, needles(RULES)) == ([], 1)


def test_a_value_was_not_told_while_one_of_its_sentences_was_not():
    messages = [user(f"{FIRST} {SECOND}"), assistant(f"{FIRST} {SECOND}")]
    assert leaks(messages, None, needles(RULES)) == ([], 1)
    messages[-1] = assistant(RULES["rule"])
    [finding], disclosed = leaks(messages, None, needles(RULES))
    assert (finding.length, disclosed) == (len(RULES["rule"]), 0)


@pytest.mark.parametrize(
    "said", ["The fee is 48213.", "$48,213.00", "\uff14\uff18213", "**48213**"]
)
def test_a_long_number_is_found_as_a_token(said):
    assert found([assistant(said)], {"fee": 48213}) == [("$.messages[0].content", "fee")]
    assert found([assistant(said)], {"fee": "48213"}) == [("$.messages[0].content", "fee")]


def test_a_number_is_found_in_arguments():
    messages = [assistant(tool_calls=[call({"amount": 48213.0})])]
    assert found(messages, {"fee": 48213}) == [
        ("$.messages[0].tool_calls[0].arguments.amount", "fee")
    ]


@pytest.mark.parametrize("said", ["148213", "482130", "A48213X", "48213.5", "4821"])
def test_a_part_of_a_number_is_no_leak(said):
    assert leaks([assistant(f"It is {said} today")], None, needles({"fee": 48213})) == ([], 0)


def test_a_text_quotes_a_value_or_a_sentence():
    searched = needles({**BLOCK, **RULES, "fee": 48213})
    assert quotes(f"judge: said \u201c{SECRET}\u201d", searched)
    assert quotes(f"judge: {FIRST}", searched)
    assert quotes("fee 48,213 named", searched)
    assert quotes(json.dumps({"why": f"{FIRST}\n"}).replace("guest must", r"guest\nmust"), searched)
    assert not quotes("judge: all is well", searched)
    assert not quotes(SECRET, ())


def test_a_text_repeats_the_block_unless_a_user_said_it_as_it_is():
    searched = needles(BLOCK)
    assert repeats(SECRET, [user("Hi"), assistant(SECRET), tool(SECRET)], searched)
    assert not repeats(SECRET, [assistant("Hello."), user(SECRET)], searched)
    assert repeats(f"{SECRET}!", [user(SECRET)], searched)
    assert not repeats("Which door?", [user("Hi")], searched)
