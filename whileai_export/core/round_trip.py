"""Do a call's arguments come back as the object that went in?"""

from __future__ import annotations

import orjson

from whileai_export.shared.findings import Finding
from whileai_export.shared.schema import BadArguments, JsonObject, Message


def round_trip(messages: list[Message]) -> tuple[list[Finding], list[str]]:
    """What is wrong with the arguments of any call, and the JSON text of every call's arguments.

    The text is what every format writes, as text or as the object it is.
    """
    findings: list[Finding] = []
    texts: list[str] = []
    for turn, message in enumerate(messages):
        if "tool_calls" in message:
            for n, call in enumerate(message["tool_calls"]):
                text, problem = _encoded(call["arguments"])
                texts.append(text)
                if problem:
                    at = f"$.messages[{turn}].tool_calls[{n}].arguments"
                    findings.append(Finding("tool_call_roundtrip", at, problem))
    return findings, texts


def _encoded(arguments: JsonObject | BadArguments) -> tuple[str, str | None]:
    if isinstance(arguments, BadArguments):
        return arguments.text, arguments.problem
    try:
        raw = orjson.dumps(arguments)
        back = orjson.loads(raw)
    except (TypeError, ValueError):
        return "{}", "cannot be written as JSON"
    if type(back) is not dict or back != arguments:
        return raw.decode(), "expected the object back that was written, got another value"
    return raw.decode(), None
