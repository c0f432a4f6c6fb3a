import pytest

from whileai_export.core.aliases import (
    ASK_ALIASES,
    FINAL_ALIASES,
    ask_of,
    final_of,
    read_under,
    training_ask,
    value_under,
)
from whileai_export.shared.errors import BadRow


def test_the_own_name_is_read():
    assert ask_of({"question": "b", "prompt": "a"}) == ("a", {})
    assert final_of({"answer": "b", "final_text": "a"}) == ("a", {})


@pytest.mark.parametrize("alias", ["question", "input", "task", "ask"])
def test_the_ask_is_read_under_its_aliases(alias: str):
    assert ask_of({"prompt": None, alias: "a"}) == ("a", {"aliases_read": 1})


@pytest.mark.parametrize("alias", ["final", "output", "response", "answer", "reply"])
def test_the_closing_text_is_read_under_its_aliases(alias: str):
    assert final_of({alias: "a"}) == ("a", {"aliases_read": 1})


def test_aliases_are_tried_from_left_to_right():
    assert ask_of({name: name for name in reversed(ASK_ALIASES)})[0] == "question"
    assert final_of({name: name for name in reversed(FINAL_ALIASES)})[0] == "final"


def test_an_alias_that_holds_no_text_is_something_else():
    assert final_of({"response": {"id": "r"}, "answer": "a"}) == ("a", {"aliases_read": 1})
    assert ask_of({"input": {"a": 1}}) == (None, {})


def test_empty_text_is_none():
    assert ask_of({"prompt": ""}) == (None, {})
    assert final_of({"final_text": ""}) == (None, {})


@pytest.mark.parametrize("value", [7, ["a"], {"a": 1}, True])
def test_an_own_name_that_holds_no_text_is_refused(value: object):
    with pytest.raises(BadRow, match="expected text, got ") as refused:
        ask_of({"prompt": value})
    assert refused.value.at == "$.prompt"


def test_the_ask_of_a_training_row_may_stand_under_prompt_text():
    assert training_ask({"prompt_text": "a", "task": "t"}) == ("a", {})
    assert training_ask({"task": "t"}) == (None, {})


def test_a_value_is_found_with_the_alias_it_stood_under():
    aliases = ("args", "input")
    assert value_under("arguments", aliases, {"arguments": {}, "args": 1}) == ({}, None)
    assert value_under("arguments", aliases, {"arguments": None, "input": 1}) == (1, "input")
    assert value_under("arguments", aliases, {}) == (None, None)


def test_a_value_read_under_an_alias_is_counted():
    aliases = ("args", "input")
    assert read_under("arguments", aliases, {"arguments": 2, "args": 1}) == (2, {})
    assert read_under("arguments", aliases, {"input": 1}) == (1, {"aliases_read": 1})
    assert read_under("arguments", aliases, {}) == (None, {})
