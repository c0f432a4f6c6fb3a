from __future__ import annotations

from dataclasses import replace

import pytest

from whileai_export.pipeline.part import GAP, SYSTEM, TOOLS, Part, Staged
from whileai_export.pipeline.scribe import Scribe
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import Surroundings
from whileai_export_tests.builders import job

SCHEMAS = [{"type": "function", "function": {"name": "f"}}]
USER = {"role": "user", "content": "a"}


def staged(*lines: dict, format: str = "openai", columns: dict | None = None, **around: object):
    made = replace(job_of(format), around=Surroundings(**around))
    part = Part({format: Staged()})
    scribe = Scribe(made, part)
    for owner, line in enumerate(lines):
        scribe.line(format, line, scribe.encoded(columns or {}), owner)
    return part.staged[format]


def job_of(format: str):
    return job(formats=(format,))


def test_a_line_is_staged_open_with_gaps_between_its_columns():
    made = staged({"messages": [USER], "loss_mask": [0]}, columns={"reward": 1.0})
    assert made.lines == [
        b'{"messages":[{"role":"user","content":"a"}]'
        + GAP
        + b'"loss_mask":[0]'
        + GAP
        + b'"reward":1.0'
    ]


def test_lines_with_the_same_columns_and_kinds_share_a_signature():
    lines = [{"messages": [USER], "loss_mask": [0]}] * 2
    made = staged(*lines, columns={"reward": 1.0})
    (signature,) = made.known
    assert signature.names == ("messages", "loss_mask", "reward")
    assert signature.kinds == ("json", "json", "float64")
    assert list(made.signatures) == [0, 0]


def test_the_prompt_and_tools_of_the_source_leave_only_their_place():
    line = {"messages": [{"role": "system", "content": "Be brief."}, USER], "tools": None}
    around = {"source_prompt": "Be brief.", "source_tools": SCHEMAS}
    made = staged({**line, "tools": SCHEMAS}, **around)
    assert made.lines == [
        b'{"messages":[' + SYSTEM + b',{"role":"user","content":"a"}]' + GAP + b'"tools":' + TOOLS
    ]


def test_equal_tools_of_a_rows_own_are_written_out():
    made = staged({"messages": [USER], "tools": [*SCHEMAS]}, source_tools=SCHEMAS)
    assert b'"tools":[{"type"' in made.lines[0]


def test_a_system_message_with_a_name_is_itself():
    message = {"role": "system", "content": "Be brief.", "name": "boss"}
    made = staged({"messages": [dict(message)]}, source_prompt="Be brief.")
    assert made.lines == [b'{"messages":[{"role":"system","content":"Be brief.","name":"boss"}]']


def test_line_ends_of_other_alphabets_are_escaped_also_in_names():
    made = staged({"messages": [USER]}, columns={"a\u2028": "b\u0085"})
    assert made.lines[0].endswith(b'"a\\u2028":"b\\u0085"')


def test_a_percent_sign_in_a_name_is_one():
    made = staged({"messages": [USER]}, columns={"%b": "100%", "pass%": 1})
    assert made.lines[0].endswith(GAP.join([b"", b'"%b":"100%"', b'"pass%":1']))


def test_a_bare_format_has_no_other_columns():
    made = staged({"messages": [USER]}, format="fireworks", columns={"reward": 1.0})
    assert made.lines == [b'{"messages":[{"role":"user","content":"a"}]']


def test_a_column_that_no_json_can_hold_is_a_bad_row():
    with pytest.raises(BadRow, match="expected values that JSON can hold"):
        Scribe(job_of("openai"), Part({})).encoded({"usage": 2**70})


def test_a_format_without_a_line_is_counted():
    part = Part({"openai": Staged()})
    Scribe(job_of("openai"), part).stage({}, {}, 0)
    assert part.tally.unsaid == {"openai": 1}
