from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from whileai_export.core.leak import leaks, needles, quotes
from whileai_export.core.round_trip import round_trip
from whileai_export.shared.schema import BadArguments

SECRET = "it's the blue door, on the left side"
BLOCK = {"hidden_state": {"code": SECRET}}


def user(content: str) -> dict:
    return {"role": "user", "content": content}


def assistant(content: str = "", **rest) -> dict:
    return {"role": "assistant", "content": content, **rest}


def tool(content: str) -> dict:
    return {"role": "tool", "content": content, "tool_call_id": "a"}


def call(arguments) -> dict:
    return {"id": "a", "name": "note", "arguments": arguments}


def found(messages: list, block: object, final: str | None = None) -> list[tuple[str, str]]:
    """Place and field of every finding; the texts at hand must change nothing."""
    searched = needles(block)
    findings, disclosed = leaks(messages, final, searched)
    assert (findings, disclosed) == leaks(messages, final, searched, round_trip(messages)[1])
    return [(finding.at, finding.field) for finding in findings]


CODE = "hidden_state.code"


@pytest.mark.parametrize(
    ("turn", "at"),
    [
        (assistant(f"Listen: {SECRET}!"), "content"),
        (assistant(f"<think>{SECRET}</think>No idea."), "content"),
        (assistant(f"<think>{SECRET}"), "content"),
        (assistant("No idea.", reasoning_content=SECRET), "reasoning_content"),
        (assistant("it's the <think>hm</think>blue door, on the left side"), "content"),
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
        user(f"I know it\u2019s the BLUE door, on the left side."),
        tool(json.dumps({"where": SECRET})),
        tool(json.dumps({"where": json.dumps({"x": "it\u2019s the blue door,\non the left side"})})),
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


@pytest.mark.parametrize("said", ["The fee is 48213.", "$48,213.00", "\uff14\uff18213", "**48213**"])
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
    assert found([assistant(f"It is {said} today")], {"fee": 48213}) == []


def test_a_text_quotes_a_value_or_a_sentence():
    searched = needles({**BLOCK, **RULES, "fee": 48213})
    assert quotes(f"judge: said \u201c{SECRET}\u201d", searched)
    assert quotes(f"judge: {FIRST}", searched)
    assert quotes("fee 48,213 named", searched)
    assert quotes(json.dumps({"why": f"{FIRST}\n"}).replace("guest must", r"guest\nmust"), searched)
    assert not quotes("judge: all is well", searched)
    assert not quotes(SECRET, ())


# Every disguise of the table, applied to a value of any words.

WORDS = st.lists(
    st.text("abcdefghijklmnopqrstuvwxyz\u00e9\u0436\u5bc60123456789'-", min_size=1, max_size=9),
    min_size=4,
    max_size=14,
).map(" ".join)


def full_width(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def inside(mark: str):
    return lambda text: "".join(c + mark if c.isalnum() else c for c in text)


DISGUISES = [
    str,
    str.upper,
    str.title,
    full_width,
    inside("\u200b"),
    inside("\u00ad"),
    inside("**"),
    lambda text: text.replace("'", "\u2019").replace("-", "\u2011"),
    lambda text: text.replace("-", " \u2014 "),
    lambda text: text.replace(" ", " \n\t"),
    lambda text: text.replace(" ", "\u00a0"),
    lambda text: text.replace(" ", "** _"),
    lambda text: f"\u201c{text}\u201d!",
    lambda text: f"***{text}***...",
    lambda text: text.replace(" ", ", "),
    lambda text: json.dumps(text),
    lambda text: json.dumps(json.dumps({"text": text})),
]
CHANNELS = [
    lambda text: assistant(text),
    lambda text: assistant(f"<think>\n{text}\n</think>\nHello."),
    lambda text: assistant("Hello.", reasoning_content=f"Now. {text}"),
    lambda text: assistant(tool_calls=[call({"q": {"deep": ["x", f"see {text}"]}})]),
    lambda text: assistant(tool_calls=[call(BadArguments(f'{{"q": "{text}', "cut"))]),
]
TALK = st.text(
    "abc defgh .,!?'\"<>/*_-\n\\{}1234567890\u00e9\u2019\u2014\u0301\U0001f511", max_size=60
)


@given(WORDS, st.sampled_from(DISGUISES), st.sampled_from(CHANNELS), TALK, TALK)
def test_any_value_is_found_in_any_channel_in_any_disguise(value, disguise, channel, before, after):
    searched = needles({"hidden_state": {"note": [value]}})
    assume(searched)
    turn = channel(f"{before} {disguise(value)} {after}")
    assert found([user("q"), turn], {"hidden_state": {"note": [value]}})


@given(WORDS, st.sampled_from(DISGUISES), TALK, TALK)
def test_any_value_that_was_told_is_disclosed(value, disguise, before, after):
    searched = needles([value])
    assume(searched)
    messages = [user(f"{before}\n{disguise(value)}\n{after}"), assistant(value)]
    assert leaks(messages, None, searched) == ([], len(searched))


@given(st.lists(TALK, max_size=5), WORDS)
def test_talk_without_the_value_is_no_leak(texts, value):
    secret = f"zzz {value} zzz"
    assert found([assistant(text) for text in texts], {"a": secret, "b": [7654321]}) == []


SAMPLES = Path(__file__).parents[3] / "shared" / "samples"
needs_samples = pytest.mark.skipif(not SAMPLES.is_dir(), reason="../shared/samples is absent")


def sample(name: str) -> list[dict]:
    return [json.loads(line) for line in (SAMPLES / name).read_text("utf-8").splitlines()]


def settled(row: dict) -> list[dict]:
    messages = []
    for message in row["messages"]:
        calls = []
        for one in message.get("tool_calls") or []:
            function = one.get("function", one)
            given_ = function["arguments"]
            arguments = json.loads(given_) if isinstance(given_, str) else given_
            calls.append({"id": "a", "name": function["name"], "arguments": arguments})
        turn = {"role": message["role"], "content": message["content"] or ""}
        messages.append({**turn, "tool_calls": calls} if calls else turn)
    return messages


def leaking(rows: list[dict]) -> list[int]:
    return [
        n
        for n, row in enumerate(rows)
        if found(settled(row), row["privileged"], row.get("final_text"))
    ]


@needs_samples
@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("simulations/shop_rl/trajectories.jsonl", [0, 33, 50, 55, 60, 63, 75, 87, 94]),
        ("simulations/bank_multi/trajectories.jsonl", []),
        ("tau_bench_airline/airline.trajectories.jsonl", []),
    ],
)
def test_real_simulations_leak_where_they_do(name, rows):
    assert leaking(sample(name)) == rows


@needs_samples
def test_a_sentence_planted_from_a_long_value_is_found_in_every_row():
    rows = sample("tau_bench_airline/airline.trajectories.jsonl")
    for row in rows:
        instruction = row["privileged"]["hidden_state"]["instruction"]
        sentence = max(re.split(r"(?<=[.!?]) +", instruction), key=len)
        row["messages"].append({"role": "assistant", "content": f"So: {sentence.upper()} Bye."})
    assert len(leaking(rows)) == 200
