"""Trajectories of every kind that can be read, made by hypothesis."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

Json = dict[str, Any]

TEXTS = st.one_of(
    st.sampled_from(["", " ", "Here.", "<think>a</think>", "<think>a</think>Here.", "a</think>b"]),
    st.sampled_from(["`<think>`", "<think>open", "\u2028\u2029\u0085\ufeff", '{"a": 1}', "\r\n\0"]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
)
_NUMBERS = st.one_of(
    st.integers(-(2**63), 2**64 - 1), st.floats(allow_nan=False, allow_infinity=False)
)
VALUES = st.recursive(
    st.none() | st.booleans() | _NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
ARGUMENTS = st.dictionaries(TEXTS, VALUES, max_size=3)
#: Rewards that are grades, and some that are none.
REWARDS = st.sampled_from([0, 0.25, 0.5, 1, 1.0, None, True, "1", 1.5])


@st.composite
def tool_rounds(draw: st.DrawFn) -> list[Json]:
    """An assistant turn that calls, and the results: in any order, with ids or without any."""
    count = draw(st.integers(1, 3))
    ids = [f"c{n}" for n in range(count)]
    numbered = draw(st.booleans())
    calls = []
    for id_ in ids:
        function = {"name": draw(st.sampled_from(["look", "find"])), "arguments": draw(ARGUMENTS)}
        calls.append({"id": id_, "function": function} if numbered else {"function": function})
    results = []
    for id_, call in zip(ids, calls, strict=True):
        turn: Json = {"role": "tool", "content": draw(TEXTS | ARGUMENTS)}
        named = {"name": call["function"]["name"]}
        results.append({**turn, "tool_call_id": id_} if numbered else {**turn, **named})
    turn = {"role": "assistant", "content": draw(st.none() | TEXTS), "tool_calls": calls}
    return [turn, *draw(st.permutations(results))]


@st.composite
def conversations(draw: st.DrawFn) -> list[Json]:
    """A prompt or none, then asks with their rounds of tools and their answers."""
    turns: list[Json] = []
    if draw(st.booleans()):
        turns.append({"role": "system", "content": draw(TEXTS)})
    for _ in range(draw(st.integers(1, 3))):
        turns.append({"role": "user", "content": draw(st.sampled_from(["Where?", "Why?"]))})
        for _ in range(draw(st.integers(0, 2))):
            turns += draw(tool_rounds())
        if draw(st.integers(0, 3)):
            turns.append({"role": "assistant", "content": draw(TEXTS)})
    return turns


@st.composite
def stepped(draw: st.DrawFn) -> Json:
    """A row of steps with a closing text."""
    steps: list[Json] = []
    for _ in range(draw(st.integers(0, 3))):
        kind = draw(st.sampled_from(["tool", "user", "text"]))
        if kind == "tool":
            steps.append({"tool": "look", "arguments": draw(ARGUMENTS), "result": draw(VALUES)})
        else:
            steps.append({kind: draw(TEXTS.filter(len))})
    return {"prompt": "Where?", "steps": steps, "final_text": draw(TEXTS)}


@st.composite
def rows(draw: st.DrawFn) -> Json:
    """A graded row in one of two shapes; few tasks, so that rollouts meet."""
    said = draw(conversations().map(lambda turns: {"messages": turns}) | stepped())
    graded = {
        "scenario_id": draw(st.sampled_from(["s1", "s2", None])),
        "reward": draw(REWARDS),
        "reason": draw(st.none() | TEXTS),
        "usage": draw(st.none() | ARGUMENTS),
        "privileged": draw(st.none() | ARGUMENTS),
    }
    return {**said, **{name: value for name, value in graded.items() if value is not None}}


SIMULATIONS = st.lists(rows(), min_size=1, max_size=4)
