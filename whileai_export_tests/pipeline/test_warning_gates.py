from __future__ import annotations

from whileai_export.pipeline.warning_gates import WARNING
from whileai_export_tests.builders import TOOLS, chat_row, steps_row, trajectory

KEY = "sk-ant-api03-" + "a1B2c3D4e5F6" * 8


def seen(gate: str, row: dict, **around: object) -> tuple[int, int]:
    compared, findings = WARNING[gate](trajectory(row, **around))
    return compared, len(findings)


def test_calls_are_compared_with_the_tools_that_are_declared():
    assert seen("tool_schema", steps_row()) == (0, 0)
    assert seen("tool_schema", steps_row(), tools=TOOLS) == (1, 0)
    wrong = steps_row()
    wrong["steps"][0]["arguments"] = {"parcel": 7}
    assert seen("tool_schema", wrong, tools=TOOLS) == (1, 1)


def test_the_policy_is_compared_where_its_digest_is_on_record():
    assert seen("policy", chat_row()) == (0, 0)
    row = chat_row(lineage={"system_prompt_sha": "0" * 16})
    assert seen("policy", row, system_prompt="Be brief.") == (1, 1)


def test_secrets_are_looked_for_in_turns_and_columns():
    assert seen("secrets", chat_row()) == (1, 0)
    assert seen("secrets", chat_row(reply=KEY))[1] == 1
    assert seen("secrets", chat_row(reason=KEY))[1] == 1


def test_secrets_are_looked_for_in_every_tool_that_is_declared():
    described = {"type": "function", "function": {"name": "f", "description": f"Use {KEY}."}}
    assert seen("secrets", chat_row(), tools=[*TOOLS, described, described]) == (1, 2)
    (found, _) = WARNING["secrets"](trajectory(chat_row(), tools=[*TOOLS, described, described]))[1]
    assert found.at == f"$.tools[{len(TOOLS)}]"
    assert seen("secrets", chat_row(tools=[described])) == (1, 1)
