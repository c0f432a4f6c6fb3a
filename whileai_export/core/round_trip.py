"""Do a call's arguments come back as the object that went in?"""

from __future__ import annotations

import orjson

from whileai_export.shared.findings import Finding
from whileai_export.shared.schema import BadArguments, JsonObject, Message


def round_trip(messages: list[Message]) -> tuple[list[Finding], list[str]]:
    """What is wrong with the arguments of any call, and the JSON text of every call's arguments.

    The text is what each format writes: some as text, some as the object that it spells.
    """
    arguments = [c["arguments"] for m in messages if "tool_calls" in m for c in m["tool_calls"]]
    if not arguments:
        return [], []
    try:
        # All of a row at once, for the usual row has nothing to find.
        raw = list(map(orjson.dumps, arguments))
    except TypeError:
        return _one_by_one(messages)
    if orjson.loads(b"[%b]" % b",".join(raw)) != arguments:
        return _one_by_one(messages)
    # JSON text holds no line end, so this cuts between the calls only.
    return [], b"\n".join(raw).decode().split("\n")


def _one_by_one(messages: list[Message]) -> tuple[list[Finding], list[str]]:
    findings: list[Finding] = []
    texts: list[str] = []
    for turn, message in enumerate(messages):
        for n, call in enumerate(message.get("tool_calls", ())):
            text, problem = _encoded(call["arguments"])
            texts.append(text)
            if problem:
                at = f"$.messages[{turn}].tool_calls[{n}].arguments"
                findings.append(Finding("tool_call_roundtrip", at, problem))
    return findings, texts


def _encoded(arguments: JsonObject | BadArguments) -> tuple[str, str]:
    """The JSON text of the arguments, and what is wrong with them."""
    if isinstance(arguments, BadArguments):
        return arguments.text, arguments.problem
    try:
        raw = orjson.dumps(arguments)
    except TypeError as error:
        # Not to be written, but to be searched like everything else that was said.
        return repr(arguments), f"expected an object that JSON can say, got one it cannot: {error}"
    back = orjson.loads(raw)
    problem = "" if back == arguments else "expected the object back that was written, got another"
    return raw.decode(), problem
