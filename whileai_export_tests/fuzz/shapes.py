"""A small row of every shape and dialect, so that each reader gets its share of damage."""

from __future__ import annotations

import json
from typing import Any

_CALL = {"id": "a", "type": "function", "function": {"name": "look", "arguments": '{"x": 1}'}}
_TOOLS = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}]
_TALK = [
    {"role": "user", "content": "Find it."},
    {"role": "assistant", "content": None, "tool_calls": [_CALL]},
    {"role": "tool", "tool_call_id": "a", "name": "look", "content": '{"found": true}'},
    {"role": "assistant", "content": "<think>good</think>There."},
]
_BLOCKS = [
    {"role": "user", "content": "Find it."},
    {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "where"},
            {"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "t1", "name": "look", "input": {"x": 1}},
        ],
    },
    {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "found"}],
    },
    {"role": "assistant", "content": [{"type": "text", "text": "There."}]},
]
_STEPS = [
    {"tool": "look", "arguments": {"x": 1}, "result": {"found": True}, "text": "I look."},
    {"user": "And?"},
    {"text": "There."},
]
_OLD = [
    {"role": "developer", "content": "Help."},
    {"role": "human", "content": "Find it."},
    {"role": "ai", "content": "", "function_call": {"name": "look", "arguments": "{}"}},
    {"role": "function", "name": "look", "content": "found"},
    {"role": "model", "content": "There."},
]
_ITEMS = [
    {"type": "reasoning", "summary": [{"type": "summary_text", "text": "where"}]},
    {"type": "function_call", "call_id": "c1", "name": "look", "arguments": '{"x": 1}'},
    {"type": "function_call_output", "call_id": "c1", "output": "found"},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Yes."}]},
]


def rows() -> list[list[dict[str, Any]]]:
    """For each shape two rollouts of one task, one good and one bad."""
    conversations: list[dict[str, Any]] = [
        {"messages": _TALK, "tools": _TOOLS},
        {"messages": _BLOCKS},
        {"messages": _OLD},
        {"prompt": "Find it.", "opener": "Hello.", "steps": _STEPS, "final_text": "There."},
        {
            "question": "Find it.",
            "tool_trace": [{"tool": "look", "input": {"x": 1}, "output": "found"}],
            "output": "There.",
        },
        {"messages_json": json.dumps(_TALK), "metadata_json": '{"prompt": "Find it."}'},
        {"steps_json": json.dumps(_STEPS), "prompt": "Find it.", "final_text": "There."},
        {
            "messages": _TALK,
            "loss_mask": [0, 1, 0, 1],
            "prompt_text": "Find it.",
            "group_id": None,
            "unroll": {"turn": 2, "turns": 2},
        },
        {
            "responses_create_params": {"input": "Find it.", "tools": [{"name": "look"}]},
            "response": {"output": _ITEMS, "status": "completed"},
        },
    ]
    return [
        [{**_graded(n, 0, 1.0), **made}, {**_graded(n, 1, 0), **_otherwise(made)}]
        for n, made in enumerate(conversations)
    ]


def _graded(task: int, rollout: int, reward: float) -> dict[str, Any]:
    return {"scenario_id": f"s{task}", "rollout_index": rollout, "reward": reward, "reason": "so"}


def _otherwise(made: dict[str, Any]) -> dict[str, Any]:
    return json.loads(json.dumps(made).replace("There.", "Nowhere.").replace("Yes.", "No."))
