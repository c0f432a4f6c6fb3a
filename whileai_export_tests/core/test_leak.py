from __future__ import annotations

import json

import pytest

from whileai_export.core.leak import leaks, needles
from whileai_export.shared.schema import BadArguments
from whileai_export_tests.core.turns import assistant, call, found, tool, user

SECRET = "it's the blue door, on the left side"
LINES = SECRET.replace(" ", "\n")
BLOCK = {"hidden_state": {"code": SECRET}}


CODE = "hidden_state.code"


@pytest.mark.parametrize(
    ("turn", "at"),
    [
        (assistant(f"Listen: {SECRET}!"), "content"),
        (assistant(f"<think>{SECRET}</think>No idea."), "content"),
        (assistant(f"<think>{SECRET}"), "content"),
        (assistant("No idea.", reasoning_content=SECRET), "reasoning_content"),
        (assistant("it's the <think>hm</think>blue door, on the left side"), "content"),
        (
            assistant("<think>a</think>it's the <think>b</think>blue door, on the left side"),
            "content",
        ),
        (assistant(tool_calls=[call({"text": SECRET})]), "tool_calls[0].arguments.text"),
        (
            assistant(tool_calls=[call({}), call({"a": [0, {"b": SECRET}]})]),
            "tool_calls[1].arguments.a[1].b",
        ),
        (
            assistant(tool_calls=[call({"body": json.dumps({"text": f'"{SECRET}"\n'})})]),
            "tool_calls[0].arguments.body",
        ),
        (
            assistant(tool_calls=[call({"q": json.dumps(json.dumps(json.dumps(LINES)))})]),
            "tool_calls[0].arguments.q",
        ),
        (
            assistant(tool_calls=[call(BadArguments(f'{{"text": "{SECRET}', "not JSON"))]),
            "tool_calls[0].arguments",
        ),
    ],
)
def test_a_value_is_found_wherever_the_assistant_said_it(turn, at):
    assert found([user("q"), turn], BLOCK) == [(f"$.messages[1].{at}", CODE)]


def test_a_value_is_found_in_the_final_text():
    assert found([user("q"), assistant("No.")], BLOCK, f"Well, {SECRET}.") == [
        ("$.final_text", CODE)
    ]


@pytest.mark.parametrize(
    "said",
    [
        "It\u2019s  the **blue\u00ad door**, on the left\u200b side!",
        "IT'S THE BLUE DOOR, ON THE LEFT SIDE",
        "\uff29\uff54's the \uff42lue door, on the left side",
        "it's the blue door,\non the\tleft side",
        "It's the _blue_ d`oo`r, on the ~~left~~ si**de**",
        "\u201cit\u2019s the blue door, on the left side\u201d",
        "it's the blue door; on the left side?",
        r"it\u2019s the blue door,\non the left side",
        "it's the b\u202flue door, on the left side".replace("\u202f", "\u2060"),
    ],
)
def test_a_disguise_hides_nothing(said):
    assert found([user("q"), assistant(f"So: {said} OK")], BLOCK) == [
        ("$.messages[1].content", CODE)
    ]


@pytest.mark.parametrize(
    "said",
    [
        "it's the blue door",
        "it's the blue floor, on the left side",
        "on the left side, it's the blue door",
        "it is the blue door, on the left side",
    ],
)
def test_other_words_are_no_quote(said):
    assert found([user("q"), assistant(said)], BLOCK) == []


def test_only_the_assistant_leaks():
    messages = [assistant("Hello."), user(SECRET), tool(SECRET), assistant("Fine.")]
    assert found(messages, BLOCK) == []


@pytest.mark.parametrize(
    "teller",
    [
        {"role": "system", "content": f"The answer: {SECRET}."},
        user("I know it\u2019s the BLUE door, on the left side."),
        tool(json.dumps({"where": SECRET})),
        tool(
            json.dumps({"where": json.dumps({"x": "it\u2019s the blue door,\non the left side"})})
        ),
    ],
)
def test_what_was_told_before_is_disclosed(teller):
    messages = [teller, assistant("Hm."), assistant(f"So {SECRET}.")]
    assert leaks(messages, f"Again: {SECRET}", needles(BLOCK)) == ([], 1)


def test_what_is_told_afterwards_does_not_excuse_the_leak():
    messages = [user("q"), assistant(f"So {SECRET}."), user(SECRET), assistant(SECRET)]
    assert found(messages, BLOCK) == [("$.messages[1].content", CODE)]


def test_each_leaked_field_is_found_once_at_its_first_place():
    block = {"a": SECRET, "b": "walnut-river-nine", "c": "something unsaid"}
    messages = [
        user("q"),
        assistant("walnut-river-nine"),
        assistant(f"{SECRET}, {SECRET}", tool_calls=[call({"x": "walnut-river-nine"})]),
    ]
    assert found(messages, block) == [
        ("$.messages[2].content", "a"),
        ("$.messages[1].content", "b"),
    ]


def test_a_finding_names_field_and_length_and_never_the_text():
    [finding], _ = leaks([assistant(SECRET)], None, needles(BLOCK))
    assert finding.plain() == {
        "gate": "privileged_leak",
        "at": "$.messages[0].content",
        "problem": "quotes 36 characters of privileged `hidden_state.code`",
        "row": -1,
        "field": "hidden_state.code",
        "length": 36,
    }


def test_a_key_that_quotes_the_block_is_not_named():
    block = {"walnut-river-nine": "walnut-river-nine"}
    messages = [assistant(tool_calls=[call({"walnut-river-nine": "Walnut-River-Nine"})])]
    [finding], _ = leaks(messages, None, needles(block))
    assert (finding.at, finding.field) == ("$.messages[0].tool_calls[0].arguments", "privileged")
    assert "walnut" not in str(finding.plain())


@pytest.mark.parametrize(
    "name", ["vault.north.example", "walnut[river]nine", "[walnut river nine]"]
)
def test_a_key_with_the_signs_of_a_path_in_it_is_not_named_either(name):
    messages = [assistant(tool_calls=[call({name: {"said": name}})])]
    [finding], _ = leaks(messages, None, needles({"host": name}))
    assert finding.at == "$.messages[0].tool_calls[0].arguments"


@pytest.mark.parametrize(
    "arguments",
    [
        {"48213": ["48213"]},
        {"y": [0, {"48213": 48213}]},
        {"y": [[{"48213": [48213]}]]},
        {"48213": {"7": "48213"}},
        {"7.5": {"48213": "48213"}},
    ],
)
def test_a_number_that_is_a_key_is_not_named_whatever_stands_beside_it(arguments):
    messages = [assistant(tool_calls=[call(arguments)])]
    for block, field in (({"pin": 48213}, "pin"), ({"48213": [48213]}, "privileged")):
        [finding], _ = leaks(messages, None, needles(block))
        assert (finding.at, finding.field) == ("$.messages[0].tool_calls[0].arguments", field)


STOPS = {
    "devanagari": "\u0964",
    "urdu": "\u06d4",
    "arabic": "\u061f",
    "armenian": "\u0589",
    "ethiopic": "\u1362",
    "burmese": "\u104b",
    "khmer": "\u17d4",
    "cjk": "\u3002",
}


@pytest.mark.parametrize("stop", STOPS.values(), ids=STOPS)
def test_one_sentence_of_a_long_value_is_found_in_any_script(stop):
    first, second = ("\u0915\u0916\u0917 " * 15).strip(), ("\u0918\u0919\u091a " * 15).strip()
    found = needles({"plan": f"{first}{stop} {second}{stop}"})
    for said in (first, f"{second}{stop}", f"\u0905 {first}{stop} \u0905"):
        assert len(leaks([assistant(said)], None, found)[0]) == 1
