"""Is the called tool declared, and do the arguments fit its JSON Schema?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from importlib import import_module
from itertools import islice
from typing import Any, NamedTuple

import orjson

from whileai_export.shared.findings import Finding
from whileai_export.shared.schema import BadArguments, JsonObject, Message, ToolCall

_NAMED_A_CALL = 5


class Tools(NamedTuple):
    """The declared tools: a compiled validator by name, None where there is none to compile."""

    validators: dict[str, Any]
    broken: tuple[int, ...]
    """The places of tools whose schema is no JSON Schema."""


def tool_schema(messages: list[Message], tools: list[JsonObject] | None) -> list[Finding] | None:
    """What is wrong with the calls; None without calls or tools.

    Without ``jsonschema-rs`` the names of the called tools are compared, and nothing else.
    """
    if not tools or not any("tool_calls" in message for message in messages):
        return None
    declared = _compiled(orjson.dumps(tools))
    problem = "expected a JSON Schema, got something else"
    findings = [_finding(f"$.tools[{n}]", problem) for n in declared.broken]
    for turn, message in enumerate(messages):
        for n, call in enumerate(message.get("tool_calls", ())):
            findings += _wrong(call, f"$.messages[{turn}].tool_calls[{n}]", declared)
    return findings


@cache
def library() -> Any:
    """The optional ``jsonschema-rs``, or None."""
    try:
        return import_module("jsonschema_rs")
    except ImportError:
        return None


@lru_cache(maxsize=64)
def _compiled(tools: bytes) -> Tools:
    validators: dict[str, Any] = {}
    broken = []
    for n, tool in enumerate(orjson.loads(tools)):
        name, schema = _declaration(tool)
        validator = None
        if schema is not None and library():
            validator = _validator(orjson.dumps(schema))
            if validator is None:
                broken.append(n)
        if isinstance(name, str):
            validators[name] = validator
    return Tools(validators, tuple(broken))


@lru_cache(maxsize=512)
def _validator(schema: bytes) -> Any:
    """The compiled schema, or None where it is no JSON Schema or one that must be fetched."""
    try:
        return library().validator_for(orjson.loads(schema), retriever=_refuse)
    except ValueError:
        return None


def _refuse(uri: str) -> JsonObject:
    raise ValueError("schemas are not fetched")


def _declaration(tool: Any) -> tuple[Any, Any]:
    function = tool.get("function", tool) if isinstance(tool, dict) else None
    if not isinstance(function, dict):
        return None, None
    return function.get("name"), function.get("parameters", function.get("input_schema"))


def _wrong(call: ToolCall, at: str, declared: Tools) -> Iterator[Finding]:
    if call["name"] not in declared.validators:
        yield _finding(f"{at}.name", "expected a tool that `tools` declares, got another")
        return
    validator = declared.validators[call["name"]]
    arguments = call["arguments"]
    if validator is None or isinstance(arguments, BadArguments) or validator.is_valid(arguments):
        return
    for error in islice(validator.iter_errors(arguments), _NAMED_A_CALL):
        yield _finding(f"{at}.arguments", _problem(error))


def _problem(error: Any) -> str:
    """What the schema asks for; never what the arguments hold."""
    rule = ".".join(map(str, error.schema_path))
    missing = getattr(error.kind, "property", None) if rule.endswith("required") else None
    named = f": `{missing}` is missing" if missing else ""
    return f"does not fit the tool's schema at `{rule}`{named}"


def _finding(at: str, problem: str) -> Finding:
    return Finding("tool_schema", at, problem)
