from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from whileai_export.core.leak import leaks, needles
from whileai_export.shared.schema import BadArguments
from whileai_export_tests.core.turns import assistant, call, found, user

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
    json.dumps,
    lambda text: json.dumps(json.dumps({"text": text})),
    lambda text: "\n> " + text.replace(" ", "\n> "),
    lambda text: "\n- " + text.replace(" ", "\n- "),
    lambda text: f"<p>{text.replace(' ', '</p><p>')}</p>",
    lambda text: "".join(f"&#{ord(c)};" for c in text),
    lambda text: escape(text).replace(" ", "&nbsp;"),
    lambda text: f"[{text.replace(' ', '](https://a.b/c?d=e) [')}](f)",
    lambda text: text.replace(" ", " <b>").replace("e", "e</b>"),
]
CHANNELS = [
    assistant,
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
