from typing import Any

from whileai_export.core.link import call_id, link
from whileai_export.shared.schema import Message, Repairs, ToolCall


def call(id: str = "", name: str = "f") -> ToolCall:
    return {"id": id, "name": name, "arguments": {}}


def assistant(*calls: ToolCall, content: str = "") -> Message:
    turn: Message = {"role": "assistant", "content": content}
    if calls:
        turn["tool_calls"] = list(calls)
    return turn


def result(content: str, id: str | None = None, name: str | None = None) -> Message:
    turn: Message = {"role": "tool", "content": content}
    if name:
        turn["name"] = name
    if id:
        turn["tool_call_id"] = id
    return turn


def user() -> Message:
    return {"role": "user", "content": "u"}


def results(*messages: Message) -> list[tuple[str, str | None]]:
    """Content and id of every tool message, once linked."""
    linked, _ = link(list(messages))
    return [(m["content"], m.get("tool_call_id")) for m in linked if m["role"] == "tool"]


def ids(*messages: Message) -> list[str]:
    """The ids of every call, once linked."""
    linked, _ = link(list(messages))
    return [c["id"] for m in linked for c in m.get("tool_calls", ())]


def mended(*messages: Message) -> Repairs:
    return link(list(messages))[1]


def test_generated_ids_have_four_digits():
    assert (call_id(0), call_id(63), call_id(64), call_id(12345)) == (
        "call_0000",
        "call_0063",
        "call_0064",
        "call_12345",
    )


def test_linked_turns_are_themselves():
    messages = [user(), assistant(call("a")), result("1", "a"), assistant(content="done")]
    linked, repairs = link(messages)
    assert linked is messages
    assert repairs == {}


def test_missing_ids_are_numbered_in_order_and_counted():
    turns = (assistant(call(), call()), user(), assistant(call()))
    assert ids(*turns) == ["call_0000", "call_0001", "call_0002"]
    assert mended(*turns) == {"generated_ids": 3}


def test_a_generated_id_is_none_that_stands_anywhere_in_the_row():
    turns = (
        assistant(call(), call("call_0001")),
        result("1", "call_0000"),
        user(),
        assistant(call()),
        user(),
        assistant(call("call_0003")),
    )
    assert ids(*turns) == ["call_0002", "call_0001", "call_0004", "call_0003"]


def test_a_recorded_id_used_again_in_a_later_turn_is_kept():
    turns = (assistant(call("a")), result("1", "a"), assistant(call("a")), result("2", "a"))
    assert ids(*turns) == ["a", "a"]
    assert results(*turns) == [("1", "a"), ("2", "a")]
    assert mended(*turns) == {}


def test_results_with_ids_are_written_in_call_order():
    turns = (assistant(call("a"), call("b")), result("B", "b"), result("A", "a"))
    assert results(*turns) == [("A", "a"), ("B", "b")]
    assert mended(*turns) == {"results_reordered": 1}


def test_results_without_ids_are_linked_by_name():
    turns = (
        assistant(call("x", "f"), call("y", "g")),
        result("from g", name="g"),
        result("from f", name="f"),
    )
    assert results(*turns) == [("from f", "x"), ("from g", "y")]
    assert mended(*turns) == {"results_linked": 2, "results_reordered": 1}


def test_results_without_ids_and_names_are_linked_by_order():
    turns = (assistant(call("x", "f"), call("y", "g")), result("1"), result("2"))
    assert results(*turns) == [("1", "x"), ("2", "y")]


def test_a_lone_result_without_an_id_is_linked_by_name_too():
    calls = assistant(call("x", "f"), call("y", "g"))
    assert results(calls, result("from g", name="g")) == [("from g", "y")]
    assert results(calls, result("any")) == [("any", "x")]
    assert mended(calls, result("any")) == {"results_linked": 1}
    assert mended(assistant(call("x")), result("any")) == {"results_linked": 1}


def test_a_name_is_heard_before_the_order():
    turns = (assistant(call("x", "f"), call("y", "g")), result("any"), result("f", name="f"))
    assert results(*turns) == [("f", "x"), ("any", "y")]


def test_a_result_of_another_name_answers_the_call_that_is_left():
    assert results(assistant(call("x", "f")), result("1", name="other")) == [("1", "x")]


def test_a_result_answers_the_oldest_call_still_open():
    turns = (assistant(call("a"), call("b")), result("1", "a"), result("2"))
    assert results(*turns) == [("1", "a"), ("2", "b")]
    assert mended(*turns) == {"results_linked": 1}


def test_a_result_is_never_linked_to_an_earlier_turn():
    turns = (assistant(call("a")), user(), result("late"), assistant(content="x"), result("later"))
    assert results(*turns) == [("late", None), ("later", None)]


def test_a_result_that_answers_no_call_stays_where_it_is():
    turns = (assistant(call("a"), call("b")), result("B", "b"), result("?", "z"), result("A", "a"))
    assert results(*turns) == [("A", "a"), ("?", "z"), ("B", "b")]
    assert results(assistant(call("a")), result("?", "z")) == [("?", "z")]
    assert results(result("first", "q")) == [("first", "q")]


def test_a_second_result_for_one_call_is_kept():
    turns = (assistant(call("a")), result("1", "a"), result("2", "a"), result("3"))
    assert results(*turns) == [("1", "a"), ("2", "a"), ("3", None)]


def test_one_id_twice_in_a_turn_is_kept():
    turns = (assistant(call("a"), call("a")), result("1", "a"), result("2", "a"))
    assert ids(*turns) == ["a", "a"]
    assert results(*turns) == [("1", "a"), ("2", "a")]


def test_an_unanswered_call_stays_open():
    turns = (assistant(call("a"), call("b")), result("B", "b"), user())
    linked, repairs = link(list(turns))
    assert linked == list(turns)
    assert repairs == {}


def test_linking_changes_no_message_it_was_given():
    def turns() -> list[Message]:
        return [assistant(call(), call("b")), result("2", "b"), result("1")]

    given = turns()
    link(given)
    assert given == turns()


def test_linking_twice_changes_nothing():
    once, _ = link([assistant(call(), call("b")), result("2", "b"), result("1"), result("?", "z")])
    again, repairs = link(once)
    assert again == once
    assert repairs == {}


def test_the_id_of_a_result_is_its_last_key():
    linked, _ = link([assistant(call()), result("1", name="f")])
    assert list(linked[1]) == ["role", "content", "name", "tool_call_id"]


def test_ten_thousand_parallel_results_are_linked():
    count = 10_000
    calls: Any = [call(str(n), "f") for n in range(count)]
    given = [result(str(n), str(n)) for n in reversed(range(count))]
    linked, _ = link([assistant(*calls), *given])
    assert [m["content"] for m in linked[1:]] == [str(n) for n in range(count)]
