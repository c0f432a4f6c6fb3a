"""The words both sample simulations are made of."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from whileai_export.shared.schema import JsonObject


@dataclass(frozen=True, slots=True)
class Profile:
    """The rules and the tools of one agent."""

    policy: str
    tools: list[JsonObject]


@dataclass(frozen=True, slots=True)
class Simulation:
    """Graded trajectories of one agent."""

    name: str
    profile: Profile
    trajectories: list[JsonObject]


def tool(name: str, description: str, *required: str, **optional: str) -> JsonObject:
    """A tool schema whose arguments are text, but for the optional ones of another type."""
    properties: JsonObject = {key: {"type": "string"} for key in required}
    properties |= {key: {"type": kind} for key, kind in optional.items()}
    parameters = {"type": "object", "properties": properties, "required": list(required)}
    return {
        "type": "function",
        "function": {"name": name, "description": description, "parameters": parameters},
    }


def user(text: str) -> JsonObject:
    return {"role": "user", "content": text}


def assistant(text: str, *calls: JsonObject) -> JsonObject:
    turn: JsonObject = {"role": "assistant", "content": text}
    return turn | {"tool_calls": list(calls)} if calls else turn


def call(id_: str, name: str, **arguments: object) -> JsonObject:
    return {"id": id_, "name": name, "arguments": arguments}


def result(id_: str, name: str, content: JsonObject) -> JsonObject:
    return {"role": "tool", "tool_call_id": id_, "name": name, "content": content}


def graded(task: str, rollout: int, policy: str, reward: float | None, reason: str) -> JsonObject:
    """What every trajectory says beside its turns."""
    sha = hashlib.sha256(policy.encode()).hexdigest()[:16]
    return {
        "scenario_id": task,
        "rollout_index": rollout,
        "reward": reward,
        "reason": reason,
        "model_version": "sample-agent",
        "lineage": {"system_prompt_sha": sha},
    }
