"""The gates that only warn, as the watch calls them: rows compared, and what was found."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from whileai_export.core.policy import policy
from whileai_export.core.secrets import secrets, secrets_in
from whileai_export.core.tool_schema import tool_schema
from whileai_export.io.encode import dumps
from whileai_export.shared.findings import Finding, Gate
from whileai_export.shared.schema import Trajectory

#: 1 where the gate had something to compare on the row, else 0; and the findings.
Seen: TypeAlias = tuple[int, list[Finding]]


def _tool_schema(trajectory: Trajectory) -> Seen:
    return _seen(tool_schema(trajectory.messages, trajectory.tools))


def _policy(trajectory: Trajectory) -> Seen:
    return _seen(policy(trajectory.messages, trajectory.columns.get("lineage")))


def _secrets(trajectory: Trajectory) -> Seen:
    found = secrets(trajectory.messages)
    for name, value in trajectory.columns.items():
        if type(value) is str:
            found += secrets_in(value, f"$.{name}")
    for number, tool in enumerate(trajectory.tools or ()):
        found += secrets_in(dumps(tool).decode(), f"$.tools[{number}]")
    return 1, found


def _seen(found: list[Finding] | None) -> Seen:
    return (0, []) if found is None else (1, found)


WARNING: dict[Gate, Callable[[Trajectory], Seen]] = {
    "tool_schema": _tool_schema,
    "policy": _policy,
    "secrets": _secrets,
}
