from __future__ import annotations

from whileai_export.core.canonical import SftRow
from whileai_export_tests.core.turns import assistant, tool, user

CALL = {"id": "a", "name": "note", "arguments": {"n": 1}}
MESSAGES = [user("go"), assistant(tool_calls=[CALL]), tool("1"), assistant("Done.")]


def arguments(row: SftRow, format: str) -> object:
    return row.wired(format)[1]["tool_calls"][0]["function"]["arguments"]


def test_a_row_spells_its_calls_as_text_and_as_objects():
    row = SftRow(MESSAGES, [0, 1, 0, 1], None)
    assert arguments(row, "openai") == '{"n":1}'
    assert arguments(row, "trl") == {"n": 1}


def test_formats_that_spell_alike_share_their_messages():
    row = SftRow(MESSAGES, [0, 1, 0, 1], None)
    assert row.wired("openai") is row.wired("fireworks")
    assert row.wired("trl") is row.wired("kto")


def test_the_beginning_of_a_row_is_written_with_the_messages_of_the_whole():
    whole = SftRow(MESSAGES, [], None)
    part = SftRow(MESSAGES[:2], [0, 1], None, whole=whole)
    assert len(part.wired("trl")) == 2
    assert part.wired("trl")[1] is whole.wired("trl")[1]
