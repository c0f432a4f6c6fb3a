"""What a gate saw. A finding names the place; the private text never enters it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, TypeAlias

Gate: TypeAlias = Literal[
    "readable",
    "tool_call_roundtrip",
    "privileged_leak",
    "structure",
    "tool_schema",
    "policy",
    "secrets",
    "holdout",
    "reload",
]

#: Findings kept by name in a report; the counts are exact whatever the number.
NAMED = 20

#: Gates that refuse, by themselves or where they are asked to, with the code of the error.
REFUSING: dict[Gate, str] = {
    "tool_call_roundtrip": "tool_call_roundtrip_invalid",
    "privileged_leak": "privileged_leak",
    "structure": "structure_invalid",
    "holdout": "holdout",
    "reload": "reload",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing one gate saw on one row."""

    gate: Gate
    at: str
    """The place in the row, as a JSON path: ``$.messages[3].tool_calls[0].arguments``."""
    problem: str
    """What was expected and what came, without any private text."""
    row: int = -1
    """0-based number of the row in its source (of the side, for pairs)."""
    line: int | None = None
    """1-based line of the source file; None for rows in memory."""
    field: str | None = None
    """Of a leak: the path of the quoted value inside the privileged block."""
    length: int | None = None
    """Of a leak: how many characters were quoted."""
    scenario_id: str | None = None
    rollout_index: int | None = None

    def of(self, row: int, line: int | None) -> Finding:
        """The same finding, placed in its source."""
        return replace(self, row=row, line=line)

    def plain(self) -> dict[str, Any]:
        """A JSON-safe object without empty entries."""
        return {key: value for key, value in asdict(self).items() if value is not None}
