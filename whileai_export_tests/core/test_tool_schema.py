from __future__ import annotations

import orjson
import pytest

from whileai_export.core import tool_schema as gate
from whileai_export.core.tool_schema import tool_schema
from whileai_export.shared.schema import BadArguments

SCHEMA = {
    "type": "object",
    "properties": {"ref": {"type": "string"}, "day": {"enum": ["Tue", "Fri"]}},
    "required": ["ref"],
    "additionalProperties": False,
}
TOOL = {"type": "function", "function": {"name": "move", "parameters": SCHEMA}}


def asks(name: str, arguments) -> list[dict]:
    call = {"id": "a", "name": name, "arguments": arguments}
    return [
        {"role": "user", "content": "u"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
    ]


def found(messages: list[dict], tools: list[dict]) -> list[tuple[str, str]]:
    findings = tool_schema(messages, tools)
    assert findings is not None
    return [(finding.at, finding.problem) for finding in findings]


AT = "$.messages[1].tool_calls[0]"


@pytest.mark.parametrize(
    ("arguments", "rule"),
    [
        ({"ref": 7}, "`properties.ref.type`"),
        ({"day": "Fri"}, "`required`: `ref` is missing"),
        ({"ref": "HX", "day": "Mon"}, "`properties.day.enum`"),
        ({"ref": "HX", "note": "x"}, "`additionalProperties`"),
    ],
)
def test_arguments_that_do_not_fit_are_found_by_the_rule(arguments, rule):
    pytest.importorskip("jsonschema_rs", reason="jsonschema-rs is not installed")
    assert found(asks("move", arguments), [TOOL]) == [
        (f"{AT}.arguments", f"does not fit the tool's schema at {rule}")
    ]


@pytest.mark.parametrize(
    "tool",
    [
        TOOL,
        {"type": "function", "name": "move", "parameters": SCHEMA},
        {"name": "move", "input_schema": SCHEMA},
        {"type": "function", "function": {"name": "move"}},
    ],
)
def test_arguments_that_fit_are_not(tool):
    pytest.importorskip("jsonschema_rs", reason="jsonschema-rs is not installed")
    assert found(asks("move", {"ref": "HX", "day": "Fri"}), [tool]) == []


def test_a_tool_that_is_not_declared_is_found():
    pytest.importorskip("jsonschema_rs", reason="jsonschema-rs is not installed")
    assert found(asks("drop", {}), [TOOL]) == [
        (f"{AT}.name", "expected a tool that `tools` declares, got another")
    ]


@pytest.mark.parametrize(
    "schema", [{"type": "nonsense"}, {"$ref": "http://127.0.0.1:9/s.json"}, {"pattern": "["}, []]
)
def test_a_schema_that_is_none_is_found_and_nothing_is_fetched(schema):
    pytest.importorskip("jsonschema_rs", reason="jsonschema-rs is not installed")
    broken = {"type": "function", "function": {"name": "move", "parameters": schema}}
    assert found(asks("move", {"ref": 7}), [TOOL["function"], broken]) == [
        ("$.tools[1]", "expected a JSON Schema, got something else")
    ]


def test_arguments_that_are_no_object_belong_to_another_gate():
    pytest.importorskip("jsonschema_rs", reason="jsonschema-rs is not installed")
    assert found(asks("move", BadArguments("[1]", "a list")), [TOOL]) == []


def test_a_finding_never_shows_what_the_arguments_hold():
    pytest.importorskip("jsonschema_rs", reason="jsonschema-rs is not installed")
    messages = asks("move", {"ref": ["walnut-river-nine"], "walnut": "river"})
    assert "walnut" not in str(found(messages, [TOOL]))


@pytest.mark.parametrize("tools", [None, []])
def test_without_tools_there_is_nothing_to_compare(tools):
    assert tool_schema(asks("move", {}), tools) is None


def test_without_calls_there_is_nothing_to_compare():
    assert tool_schema([{"role": "user", "content": "u"}], [TOOL]) is None


def test_without_the_library_the_names_alone_are_compared(monkeypatch):
    gate._compiled.cache_clear()
    monkeypatch.setattr(gate, "library", lambda: None)
    assert tool_schema(asks("move", {"ref": 7}), [TOOL]) == []
    assert found(asks("fly", {}), [TOOL]) == [
        (f"{AT}.name", "expected a tool that `tools` declares, got another")
    ]
    gate._compiled.cache_clear()


def test_one_validator_a_tool_is_compiled_once():
    pytest.importorskip("jsonschema_rs", reason="jsonschema-rs is not installed")
    first, second = (gate._compiled(orjson.dumps([tool])) for tool in (TOOL, {**TOOL}))
    assert first.validators["move"] is second.validators["move"]
