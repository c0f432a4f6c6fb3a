"""The keys a turn of each role may have; what stands under others is left out and counted."""

from __future__ import annotations

from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import NO_REPAIRS, JsonObject, Repairs, Role

KEYS: dict[Role, frozenset[str]] = {
    "system": frozenset({"role", "content"}),
    "user": frozenset({"role", "content"}),
    "assistant": frozenset({"role", "content", "reasoning_content", "tool_calls", "function_call"}),
    "tool": frozenset({"role", "content", "name", "tool_call_id"}),
}


def keys_dropped(value: JsonObject, role: Role) -> Repairs:
    """How many keys of a message have a value and no place in a turn of its role."""
    dropped = [key for key in value if key not in KEYS[role] and value[key] is not None]
    if not dropped:
        return NO_REPAIRS
    if role == "assistant" and "weight" in dropped:
        raise BadRow("expected a trajectory, got a row of format fireworks", ".weight")
    if "tool_calls" in dropped and value["tool_calls"]:
        raise BadRow(f"expected calls in an assistant turn, got them in a {role} turn")
    return {"message_keys_dropped": len(dropped)}
