"""Do the turns stand in an order that chat templates take, every call with its result?"""

from __future__ import annotations

from whileai_export.shared.findings import Finding
from whileai_export.shared.schema import Message, ToolCall

_LATE_SYSTEM = "expected one system message, first, got one later"
_NO_USER = "expected a user turn before the first assistant turn, got none"

#: By the role before: the roles a template refuses then, and why.
_REFUSED: dict[str, dict[str, str]] = {
    "": {"assistant": _NO_USER},
    "system": {"assistant": _NO_USER, "system": "expected one system message, got another"},
    "user": {"user": "expected an assistant turn, got another user turn", "system": _LATE_SYSTEM},
    "assistant": {
        "assistant": "expected a user or tool turn, got another assistant turn",
        "system": _LATE_SYSTEM,
    },
    "tool": {
        "user": "expected the assistant's turn after the tool's, got a user turn",
        "system": _LATE_SYSTEM,
    },
}


def structure(messages: list[Message]) -> list[Finding]:
    """What a strict consumer refuses; only the calls of the last turn may stay open."""
    findings = [] if messages else [_finding("$.messages", "expected turns, got none")]
    before = ""
    calls: list[ToolCall] = []
    asked_at = 0
    unanswered: list[str] = []
    for turn, message in enumerate(messages):
        role: str = message["role"]
        if role == "tool":
            if message.get("tool_call_id") in unanswered:
                unanswered.remove(message["tool_call_id"])
            else:
                findings.append(_without_call(turn))
        else:
            if unanswered:
                findings += _without_result(asked_at, calls, unanswered)
                unanswered = []
            if role in _REFUSED[before]:
                findings.append(_finding(f"$.messages[{turn}]", _REFUSED[before][role]))
                role = before if role == "system" else role
            if "tool_calls" in message:
                asked_at, calls = turn, message["tool_calls"]
                if len(calls) == 1:
                    unanswered = [calls[0]["id"]]
                else:
                    unanswered = [call["id"] for call in calls]
                    findings += _repeated(turn, unanswered)
        before = role
    return findings


def _without_call(turn: int) -> Finding:
    problem = "expected the id of a call that is open, got one that answers none"
    return _finding(f"$.messages[{turn}].tool_call_id", problem)


def _without_result(turn: int, calls: list[ToolCall], unanswered: list[str]) -> list[Finding]:
    problem = "expected a result before the next turn, got none"
    return [
        _finding(f"$.messages[{turn}].tool_calls[{n}]", problem)
        for n, call in enumerate(calls)
        if call["id"] in unanswered
    ]


def _repeated(turn: int, ids: list[str]) -> list[Finding]:
    problem = "expected an id of its own, got that of another call of the turn"
    return [
        _finding(f"$.messages[{turn}].tool_calls[{n}].id", problem)
        for n, one in enumerate(ids)
        if one in ids[:n]
    ]


def _finding(at: str, problem: str) -> Finding:
    return Finding("structure", at, problem)
