from typing import Any

import pytest

from whileai_export.core.closing import closed, finish_of, said
from whileai_export.shared.schema import Message, Repairs

CALLED: Any = {
    "role": "assistant",
    "content": "",
    "tool_calls": [{"id": "c", "name": "f", "arguments": {}}],
}


def user(content: str) -> Message:
    return {"role": "user", "content": content}


def assistant(content: str) -> Message:
    return {"role": "assistant", "content": content}


def tool(content: str) -> Message:
    return {"role": "tool", "content": content, "name": "f", "tool_call_id": "c"}


def close(*messages: Message, final: str | None) -> tuple[list[Message], Repairs]:
    return closed(list(messages), final)


@pytest.mark.parametrize("final", [None, "", " \n"])
def test_without_a_closing_text_an_answered_conversation_stays(final: str | None):
    assert close(user("hi"), assistant("Hello."), final=final) == (
        [user("hi"), assistant("Hello.")],
        {},
    )
    assert close(user("hi"), CALLED, tool("r"), final=final) == (
        [user("hi"), CALLED, tool("r")],
        {},
    )


def test_an_assistant_turn_with_text_closes():
    assert close(user("hi"), assistant("Hello."), final=" Hello.\n") == (
        [user("hi"), assistant("Hello.")],
        {},
    )


def test_a_different_closing_text_is_counted_and_not_added():
    assert close(user("hi"), assistant("Hello."), final="Bye.") == (
        [user("hi"), assistant("Hello.")],
        {"final_text_differs": 1},
    )


def test_reasoning_makes_no_difference():
    turn = assistant("<think>greet</think>Hello.")
    assert close(user("hi"), turn, final="Hello.") == ([user("hi"), turn], {})


def test_an_empty_assistant_turn_takes_the_closing_text():
    assert close(user("hi"), assistant(""), final="Hello.") == (
        [user("hi"), assistant("Hello.")],
        {},
    )


def test_reasoning_without_an_answer_stays_before_it():
    assert close(user("hi"), assistant("<think>greet</think>"), final="Hello.")[0][-1] == (
        assistant("<think>greet</think>\n\nHello.")
    )
    assert close(user("hi"), assistant("<think>greet"), final="Hello.")[0][-1] == (
        assistant("Hello.")
    )


def test_a_closing_text_follows_a_tool_result():
    assert close(user("hi"), assistant("Wait."), CALLED, tool("r"), final="Wait.") == (
        [user("hi"), assistant("Wait."), CALLED, tool("r"), assistant("Wait.")],
        {},
    )


def test_a_closing_text_follows_a_call_that_nobody_answered():
    assert close(user("hi"), CALLED, final="Bye.")[0] == [user("hi"), CALLED, assistant("Bye.")]


def test_a_closing_text_answers_the_closing_user_turn():
    assert close(user("hi"), assistant("Hello."), user("bye"), final="Goodbye.") == (
        [user("hi"), assistant("Hello."), user("bye"), assistant("Goodbye.")],
        {},
    )


@pytest.mark.parametrize("final", [None, "Hello.", "Hello. "])
def test_a_closing_user_turn_without_an_answer_is_left_out(final: str | None):
    assert close(user("hi"), assistant("<think>x</think>Hello."), user("thanks"), final=final) == (
        [user("hi"), assistant("<think>x</think>Hello.")],
        {"closing_turns_left_out": 1},
    )


def test_every_closing_user_turn_without_an_answer_is_left_out():
    turns = (user("hi"), assistant("Hello."), user("thanks"), user("bye"))
    assert close(*turns, final=None) == (
        [user("hi"), assistant("Hello.")],
        {"closing_turns_left_out": 2},
    )


def test_a_closing_text_that_a_tool_said_before_is_an_answer():
    turns = (user("how many?"), CALLED, tool("42"), user("well?"))
    assert close(*turns, final="42") == ([*turns, assistant("42")], {})


def test_a_conversation_of_nothing_but_user_turns_stays():
    assert close(user("hi"), user("hello?"), final=None) == ([user("hi"), user("hello?")], {})


def test_a_closing_text_is_the_first_answer():
    assert close(user("hi"), final="Hello.") == ([user("hi"), assistant("Hello.")], {})
    assert close(final="Hello.") == ([assistant("Hello.")], {})
    assert close(final=None) == ([], {})


def test_closing_changes_no_message_it_was_given():
    given = [user("hi"), assistant("")]
    closed(given, "Hello.")
    assert given == [user("hi"), assistant("")]


def test_what_was_said_is_the_text_without_reasoning():
    assert said(" <think>x</think> Yes. ") == "Yes."
    assert said(" Yes. ") == "Yes."


@pytest.mark.parametrize(
    ("row", "closing", "finish"),
    [
        ({"finish_reason": "stop"}, "Done.", None),
        ({}, None, None),
        ({"finish_reason": "length"}, "Done.", "length"),
        ({"finish_reason": "error"}, "Done.", "error"),
        ({"finish_reason": ["error"]}, "Done.", None),
        ({}, "<agent error: timeout>", "error"),
        ({"finish_reason": "length"}, " <agent error>", "error"),
        ({}, "No <agent error> here.", None),
    ],
)
def test_a_bad_end_is_named(row: dict[str, object], closing: str | None, finish: str | None):
    assert finish_of(row, closing) == finish
