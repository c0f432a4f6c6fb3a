"""The shapes that travel between rooms.

Inside, a tool call keeps its arguments decoded; the wire formats encode them in the last step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Required, TypeAlias, TypedDict

JsonObject: TypeAlias = dict[str, Any]
Role: TypeAlias = Literal["system", "user", "assistant", "tool"]
WireFormat: TypeAlias = Literal["openai", "trl", "trl-completion", "fireworks", "kto"]
MaskMode: TypeAlias = Literal["assistant", "final"]
Shape: TypeAlias = Literal["training", "responses", "flat", "messages", "steps", "platform"]

#: How often each kind of repair was made. An empty mapping is the usual case.
Repairs: TypeAlias = Mapping[str, int]
NO_REPAIRS: Repairs = {}

SCHEMA_VERSION = "1"

#: Levels of objects and lists in a row; orjson writes no more. What it holds may have fewer.
ROW_DEPTH = 254

#: Keys that only the grader may see; they never leave in a carried column, at any depth.
PRIVATE_KEYS = frozenset(
    {"privileged", "principle", "hidden_state", "reference", "rubric", "vector"}
)

#: Columns a row carries along when it has them, in the order in which they are written.
CARRIED = tuple(
    """reward qwen_reward reason prompt scenario_id world_state faults fault_detected label_source
    failure_class judge_status judge_name lineage logprob n_tokens token_logprobs sampling
    policy_version writer_model user_model usage tier ask_family ask stance tone texture vagueness
    phrasing pressure user history length intent_known tool_known rollout_index
    model_version""".split()
)

#: Columns that describe the group of a row: every rollout of its task.
GROUP_FIELDS = ("group_id", "k", "n0", "n1", "reward_mean", "reward_std")


class BadArguments(NamedTuple):
    """Arguments that are no JSON object: the text that came, and why it is none."""

    text: str
    problem: str


class ToolCall(TypedDict):
    """One call of a tool; ``arguments`` is an object unless the round-trip gate must refuse it."""

    id: str
    name: str
    arguments: JsonObject | BadArguments


class Message(TypedDict, total=False):
    """One turn. A key is present only where it has a value; ``content`` is always text."""

    role: Required[Role]
    content: Required[str]
    reasoning_content: str
    tool_calls: list[ToolCall]
    name: str
    tool_call_id: str


@dataclass(slots=True)
class Trajectory:
    """One row of any source, settled: a conversation, its grade and what it carries along."""

    messages: list[Message]
    tools: list[JsonObject] | None
    columns: JsonObject
    task: str | None
    shape: Shape
    privileged: Any = None
    final_text: str | None = None
    """What the assistant said last, where it is not the text of the last turn."""
    finish: str | None = None
    """Why the rollout ended badly: ``error`` or ``length``; None where it did not."""
    reward: float | None = None
    """The grade where it is one: a number in [0, 1]."""
    ungraded: str | None = None
    """Why ``reward`` is None: absent, null, nan, bool, text, out_of_range, other."""
    loss_mask: list[int] | None = None
    """The mask a training row came with."""
    prompt_from: str | None = None
    """argument, row, source, sidecar or profile; None without a system prompt."""
    tools_from: str | None = None
    source_line: int | None = None
    """The line recorded on a staged row; None on rows of other sources."""
    repairs: Repairs = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a row is read with: the caller's arguments, and what the source says for all rows."""

    system_prompt: str | None = None
    tools: list[JsonObject] | None = None
    source_prompt: str | None = None
    source_prompts: Mapping[str, str] = field(default_factory=dict)
    """System prompts by sha, chosen by the row's ``lineage.system_prompt_sha``."""
    source_tools: list[JsonObject] | None = None
    prompt_from: str | None = None
    """Where ``source_prompt`` was found: source, sidecar or profile."""
    tools_from: str | None = None

    @property
    def given_prompt(self) -> str | None:
        """The system prompt of the rows that have none of their own."""
        return self.source_prompt if self.system_prompt is None else self.system_prompt

    @property
    def given_tools(self) -> list[JsonObject] | None:
        """The tool schemas of the rows that have none of their own."""
        return self.source_tools if self.tools is None else self.tools
