from __future__ import annotations

import pytest

from whileai_export.core.canonical import PairRow, SftRow
from whileai_export.core.wire import PREFERENCE, SFT
from whileai_export_tests.core.turns import assistant, tool, user

TOOLS = [{"type": "function", "function": {"name": "note"}}]
CALL = {"id": "a", "name": "note", "arguments": {"n": 1}}


def wired(arguments: object) -> list[dict]:
    return [{"id": "a", "type": "function", "function": {"name": "note", "arguments": arguments}}]


def row(**more: object) -> SftRow:
    messages = [user("go"), assistant(tool_calls=[CALL]), tool("1"), assistant("Done.")]
    return SftRow(messages, more.pop("mask", [0, 1, 0, 1]), more.pop("tools", TOOLS), **more)


def lines(format: str, made: SftRow) -> list[dict]:
    return SFT[format](made)


AS_TEXT = [user("go"), assistant(tool_calls=wired('{"n":1}')), tool("1"), assistant("Done.")]
AS_OBJECT = [user("go"), assistant(tool_calls=wired({"n": 1})), tool("1"), assistant("Done.")]


def test_openai_writes_arguments_as_text_beside_the_mask():
    assert lines("openai", row()) == [
        {"messages": AS_TEXT, "loss_mask": [0, 1, 0, 1], "tools": TOOLS}
    ]


def test_trl_writes_arguments_as_objects():
    assert lines("trl", row()) == [
        {"messages": AS_OBJECT, "loss_mask": [0, 1, 0, 1], "tools": TOOLS}
    ]


def test_trl_completion_writes_one_row_a_trained_turn():
    assert lines("trl-completion", row()) == [
        {"prompt": AS_OBJECT[:1], "completion": [AS_OBJECT[1]], "tools": TOOLS},
        {"prompt": AS_OBJECT[:3], "completion": [AS_OBJECT[3]], "tools": TOOLS},
    ]


def test_trl_completion_honours_every_mask():
    assert [line["completion"] for line in lines("trl-completion", row(mask=[0, 0, 0, 1]))] == [
        [assistant("Done.")]
    ]
    assert lines("trl-completion", row(mask=[0, 0, 0, 0])) == []


@pytest.mark.parametrize("format", ["trl-completion", "kto"])
def test_a_turn_with_nothing_before_it_is_no_completion(format):
    messages = [assistant("Front desk."), user("A room?"), assistant("Yes.")]
    (line,) = lines(format, SftRow(messages, [1, 0, 1], None, 1.0))
    assert (line["prompt"], line["completion"]) == (messages[:2], messages[2:])
    assert lines(format, SftRow(messages[:1], [1], None, 1.0)) == []


def test_fireworks_writes_the_mask_as_weights_and_nothing_else():
    assert lines("fireworks", row(mask=[0, 0, 0, 1])) == [
        {
            "messages": [
                user("go"),
                {**AS_TEXT[1], "weight": 0},
                tool("1"),
                assistant("Done.", weight=1),
            ],
            "tools": TOOLS,
        }
    ]


@pytest.mark.parametrize(("reward", "label"), [(1.0, True), (0.5, True), (0.49, False)])
def test_kto_writes_a_graded_rollout_with_a_label(reward, label):
    assert lines("kto", row(reward=reward)) == [
        {"prompt": AS_OBJECT[:1], "completion": AS_OBJECT[1:], "label": label, "tools": TOOLS}
    ]


def test_kto_has_no_row_for_a_rollout_without_a_grade_or_an_answer():
    assert lines("kto", row()) == []
    assert lines("kto", SftRow([user("go")], [0], None, 1.0)) == []


@pytest.mark.parametrize("format", SFT)
def test_no_tools_key_is_written_without_tools(format):
    assert all("tools" not in line for line in lines(format, row(tools=None, reward=1.0)))


def pair(chosen: list, rejected: list) -> PairRow:
    return PairRow("go", chosen, rejected, TOOLS)


GOOD = [user("go"), assistant(tool_calls=[CALL]), tool("1"), assistant("Done.")]
BAD = [user("go"), assistant("No.")]


def test_an_openai_pair_has_whole_conversations_and_the_ask_as_text():
    assert PREFERENCE["openai"](pair(GOOD, BAD)) == {
        "prompt": "go",
        "chosen": AS_TEXT,
        "rejected": BAD,
        "tools": TOOLS,
    }


def test_a_trl_pair_has_the_ask_as_messages_and_what_follows():
    assert PREFERENCE["trl"](pair(GOOD, BAD)) == {
        "prompt": [user("go")],
        "chosen": AS_OBJECT[1:],
        "rejected": [assistant("No.")],
        "tools": TOOLS,
    }


def test_a_trl_pair_of_two_asks_cannot_be_said():
    assert PREFERENCE["trl"](pair(GOOD, [user("stop"), assistant("No.")])) is None


@pytest.mark.parametrize("format", ["trl-completion", "fireworks"])
def test_a_pair_of_completions_parts_where_the_sides_do(format):
    other = [*GOOD[:3], assistant("Lost.")]
    line = PREFERENCE[format](pair(GOOD, other))
    shared = AS_OBJECT[:3] if format == "trl-completion" else AS_TEXT[:3]
    expected = {
        "trl-completion": {
            "prompt": shared,
            "chosen": [assistant("Done.")],
            "rejected": [assistant("Lost.")],
            "tools": TOOLS,
        },
        "fireworks": {
            "input": {"messages": shared, "tools": TOOLS},
            "preferred_output": [assistant("Done.")],
            "non_preferred_output": [assistant("Lost.")],
        },
    }
    assert line == expected[format]


@pytest.mark.parametrize("format", ["trl-completion", "fireworks"])
def test_sides_with_other_call_ids_share_their_beginning(format):
    other = [user("go"), assistant(tool_calls=[{**CALL, "id": "z"}]), tool("1"), assistant("Lost.")]
    line = PREFERENCE[format](pair(GOOD, other))
    messages = line["prompt"] if format == "trl-completion" else line["input"]["messages"]
    assert [m["role"] for m in messages] == ["user", "assistant", "tool"]


@pytest.mark.parametrize(
    "rejected",
    [
        GOOD[:2],
        [*GOOD[:2], tool("2"), assistant("Lost.")],
        [user("stop"), assistant("No.")],
    ],
    ids=["one side ends first", "the sides part at a tool result", "two asks"],
)
@pytest.mark.parametrize("format", ["trl-completion", "fireworks"])
def test_a_pair_without_one_answer_a_side_cannot_be_said(format, rejected):
    assert PREFERENCE[format](pair(GOOD, rejected)) is None
