"""The door: a row of any shape becomes a trajectory, or is refused by name."""

from __future__ import annotations

from typing import TypeAlias

from whileai_export.core.aliases import ask_of, final_of, training_ask
from whileai_export.core.carry import carried, identity
from whileai_export.core.closing import closed, finish_of
from whileai_export.core.flat import unfolded
from whileai_export.core.link import link
from whileai_export.core.messages import read_messages
from whileai_export.core.preamble import tools_of, with_system
from whileai_export.core.repairs import total
from whileai_export.core.responses import read_responses, response_finish
from whileai_export.core.reward import grade_of
from whileai_export.core.shapes import conversation_shape, shape_of
from whileai_export.core.steps import read_steps
from whileai_export.core.training import (
    mask_under_system,
    read_mask,
    read_source_line,
    with_sound_columns,
)
from whileai_export.core.values import kind_of
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import (
    NO_REPAIRS,
    JsonObject,
    Message,
    Repairs,
    Shape,
    Surroundings,
    Trajectory,
)

#: What a row says before it stands under a system prompt: turns, ask, closing text, repairs.
Conversation: TypeAlias = tuple[list[Message], str | None, str | None, Repairs]


def normalize(row: JsonObject, around: Surroundings) -> Trajectory:
    """The row as a trajectory; ``BadRow`` says where and why it cannot be read."""
    if type(row) is not dict:
        raise BadRow(f"expected an object, got {kind_of(row)}")
    shape = shape_of(row)
    unfolding = NO_REPAIRS
    if shape == "flat":
        row, unfolding = unfolded(row)
        turns, ask, final, mended = _conversation(row, conversation_shape(row))
    else:
        turns, ask, final, mended = _conversation(row, shape)
    messages, prompt_from, replaced = with_system(turns, row, around)
    tools, tools_from, retooled = tools_of(row, around)
    column, reward, ungraded, graded = grade_of(row)
    columns, scrubbed = carried(row, shape, column, ask or _first_of_user(messages))
    task = _task(row, shape, columns)
    if "scenario_id" not in columns and row.get("task_id") is not None:
        # Nothing else that is carried would tell the task to whoever reads the row again.
        columns.setdefault("task", task)
    reply = _last_of_assistant(messages)
    # By position, in the order of the fields: a call by keyword takes twice as long.
    trajectory = Trajectory(
        messages,
        tools,
        columns,
        task,
        shape,
        row.get("privileged"),
        final if final and _differ(final, reply) else None,
        finish_of(row, final or reply),
        reward,
        ungraded,
        None,
        prompt_from,
        tools_from,
        None,
        total(unfolding, mended, replaced, retooled, graded, scrubbed),
    )
    if shape == "training":
        _add_training(trajectory, row, turns)
    elif shape == "responses":
        trajectory.finish = trajectory.finish or response_finish(row["response"])
    return trajectory


def _conversation(row: JsonObject, shape: Shape) -> Conversation:
    ask, asked = (training_ask if shape == "training" else ask_of)(row)
    final, answered = final_of(row)
    if shape == "responses":
        messages, found = read_responses(row)
    elif shape in ("steps", "platform"):
        name = "steps" if shape == "steps" else "tool_trace"
        messages, found = read_steps(row.get("opener"), ask, row.get(name) or [], f"$.{name}")
        if shape == "platform":  # ``input`` and ``output`` are this shape's own names
            found = {kind: count for kind, count in found.items() if kind != "aliases_read"}
        messages, closing = closed(messages, final)
        return messages, ask, final, total(asked, answered, found, closing)
    else:
        messages, found = read_messages(row["messages"])
    messages, linked = link(messages)
    return messages, ask, final, total(asked, answered, found, linked)


def _task(row: JsonObject, shape: Shape, columns: JsonObject) -> str | None:
    """What groups a row with its other rollouts: its scenario, else its task, else its ask."""
    staged = columns.get("task") if shape == "training" else None
    return (
        (staged if type(staged) is str else None)
        or columns.get("scenario_id")
        or identity(row.get("task_id"), "$.task_id")
        or columns.get("prompt")
    )


def _add_training(trajectory: Trajectory, row: JsonObject, turns: list[Message]) -> None:
    trajectory.columns, left_out = with_sound_columns(trajectory.columns)
    trajectory.repairs = total(trajectory.repairs, left_out)
    mask = read_mask(row.get("loss_mask"), turns)
    if mask is not None:
        trajectory.loss_mask = mask_under_system(mask, len(trajectory.messages))
    trajectory.source_line = read_source_line(row)


def _differ(final: str, reply: str) -> bool:
    return final != reply and final.strip() != reply.strip()


def _first_of_user(messages: list[Message]) -> str | None:
    return next((m["content"] or None for m in messages if m["role"] == "user"), None)


def _last_of_assistant(messages: list[Message]) -> str:
    for message in reversed(messages):
        if message["role"] == "assistant":
            return message["content"]
    return ""
