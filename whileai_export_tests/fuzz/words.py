"""Values and names that break programs, to be put anywhere in a row."""

from __future__ import annotations

import json
from random import Random
from typing import Any

#: Stands in the privileged block of every mutant; no message and no report may repeat it.
CANARY = "the kestrel vault opens at dawn"

NAMES = (
    *"""messages steps tool_trace opener prompt final_text final output response answer reply
    question input task ask arguments args parameters result tool text user role content
    tool_calls tool_call_id name id function function_call reasoning_content type thinking
    tool_use_id is_error loss_mask prompt_text tools system_prompt responses_create_params
    messages_json steps_json metadata_json reward reason scenario_id task_id rollout_index
    finish_reason judge_status lineage privileged hidden_state rubric reference vector group_id k
    n0 n1 reward_mean reward_std row_id unroll tool_output_truncated tool_output_chars_cut
    source_line completion label chosen rejected preferred_output model_version usage
    token_logprobs weight a.b __class__ status incomplete_details instructions""".split(),
    *("", " ", "\u2028", "a" * 300, "\ud800", "\0"),
)

ROLES = tuple("system developer user human assistant ai model tool function USER Tool root".split())

TEXTS = (
    *("", " ", "\n", "\0", "\ud800", "\udfff\ud800", "\u2028\u2029\u0085", "\ufeff", "\u200b"),
    *("{", "[1]", "null", '""', "0", "NaN", '{"a": 1, "a": 2}', '{"a": 1}', '"{\\"a\\": 1}"'),
    *("{'a': 1}", '{"a": NaN}', '{"a": 1e999}', '{"a": 18446744073709551616}', '{"a": 1,}'),
    *("<think>", "</think>", "<think>a<think>b</think>", "<THINK x='1'>a</think>b", "<think/>a"),
    *("```\n<think>\n```", "`<think>`", "<agent error timeout>", "a" * 5000, "\U0001f511" * 50),
    *("sk-aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF", "\x1b[31m", "%s{0}", "../../etc", "a\r\nb", CANARY),
    *('{"a": ' * 260 + "1" + "}" * 260, "[" * 3000, "1" * 5000),
)

NUMBERS = (
    *(0, 1, -1, 0.5, -0.0, 2, 1.0000001, 2**53 + 1, 2**63, 2**64 - 1, 2**64, -(2**63) - 1),
    *(1e308, 5e-324, float("nan"), float("inf"), float("-inf"), 10**400, 10**4000, True, False),
)


def value(random: Random) -> Any:
    """Anything that JSON, or Python's idea of it, can hold."""
    made = random.randrange(10)
    if made < 3:
        return random.choice(TEXTS)
    if made < 6:
        return random.choice(NUMBERS)
    if made < 7:
        return None
    if made < 8:
        return random.choice(([], {}, [[]], [None], {"": None}, [{}], {"a": {"a": []}}))
    if made < 9:
        return nested(random.choice((3, 150, 190, 199, 200, 201, 250)), random.random() < 0.5)
    return [value(random) for _ in range(random.randrange(4))]


def nested(levels: int, objects: bool) -> Any:
    """Objects or lists inside one another."""
    made: Any = 1
    for _ in range(levels):
        made = {"a": made} if objects else [made]
    return made


def message(random: Random) -> dict[str, Any]:
    """A turn that may be anything."""
    made: dict[str, Any] = {"role": random.choice(ROLES)}
    if random.random() < 0.9:
        made["content"] = random.choice((*TEXTS, None, [{"type": "text", "text": "a"}], {"a": 1}))
    if random.random() < 0.4:
        made["tool_calls"] = [call(random) for _ in range(random.randrange(3))]
    if random.random() < 0.3:
        made["tool_call_id"] = random.choice(("call_0000", "a", "", None, 7))
    return made


def call(random: Random) -> Any:
    """A call in one of the forms it is recorded in, or in none."""
    arguments = random.choice((*TEXTS, *NUMBERS, None, {"a": 1}, {"a": {"b": [1, None]}}, []))
    name = random.choice(("look", "", None, "f" * 99, 5))
    id_ = random.choice(({}, {"id": "a"}, {"id": "call_0000"}, {"id": None}, {"id": 3}))
    if random.random() < 0.6:
        return {**id_, "type": "function", "function": {"name": name, "arguments": arguments}}
    return {**id_, "name": name, random.choice(("arguments", "args", "input")): arguments}


def text_of(row: Any, random: Random) -> bytes:
    """The row as somebody's program may have written it."""
    plain = random.random() < 0.5
    separators = random.choice(((",", ":"), (", ", ": "), (" ,", " :")))
    try:
        return json.dumps(row, ensure_ascii=plain, separators=separators).encode(
            "utf-8", "surrogatepass"
        )
    except (ValueError, RecursionError):  # more digits, or more levels, than Python writes
        return b'{"messages": [' + b"[" * 2000
