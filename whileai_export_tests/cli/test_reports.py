from __future__ import annotations

from typing import Any

from whileai_export.cli import reports

SFT: dict[str, Any] = {
    "n": 2,
    "tasks": 3,
    "characters": 500,
    "source": {"shapes": {"messages": 5}, "system_prompt_from": {"argument": 5}},
    "counts": {"read": 5, "written": 2, "quarantined": 1, "filtered": {"min_reward": 2}},
    "repairs": {"content_null": 4},
    "privileged_leaks": {"summary": "5 rows checked, none quotes its own privileged block"},
    "findings": {
        "tool_call_roundtrip": {"summary": "tool_call_roundtrip: 9 calls checked"},
        "privileged_leak": {"summary": "privileged_leak: 5 rows checked"},
    },
    "outputs": [{"format": "openai", "rows": 2, "path": "t.jsonl"}],
    "warnings": ["no tools"],
}


def test_a_report_says_what_was_read_checked_left_out_and_written():
    assert list(reports.lines(SFT)) == [
        "  read                 5 rows, 3 tasks (messages 5)",
        "  system prompt        as given (5 rows)",
        "  repaired             content_null 4",
        "  tool_call_roundtrip  9 calls checked",
        "  privileged_leak      5 rows checked, none quotes its own privileged block",
        "  left out             min_reward 2, quarantined 1",
        "  written              2 rows, openai: t.jsonl",
        "  warning              no tools",
    ]


def test_a_report_of_pairs_says_why_tasks_have_none():
    pairs = {
        "pairs": 1,
        "tasks_seen": 2,
        "source": {},
        "counts": {"read": 4},
        "without_pair": {"no_contrast": 1},
        "outputs": [{"format": "trl", "rows": 1, "path": "p.jsonl"}],
    }
    assert list(reports.lines(pairs)) == [
        "  read           4 rows, 2 tasks",
        "  tasks without  no_contrast 1",
        "  written        1 pair, trl: p.jsonl",
    ]


def test_the_gates_that_hold_warn_or_saw_nothing_are_counted_apart():
    holds, idle = {"checked": True, "count": 0}, {"checked": False, "count": 0}
    found = {"readable": holds, "structure": holds, "privileged_leak": idle}
    said = "2 gates hold; not checked: privileged_leak"
    assert reports.held({"findings": found}) == said
    found = {"readable": holds, "structure": {"checked": True, "count": 2}}
    assert reports.held({"findings": found}) == "1 gate holds, 1 only warns: structure"
    assert reports.held({"findings": {"readable": holds}}) == "every gate holds (1)"


def test_a_gate_that_had_nothing_to_compare_says_what_it_would_need():
    idle = {"checked": False, "summary": "policy: not checked, there was nothing to compare"}
    assert list(reports.gates({"findings": {"policy": idle}})) == [
        (
            "policy",
            "not checked: no row names a system prompt to compare with (lineage.system_prompt_sha)",
        )
    ]


def test_where_there_are_no_tools_nothing_is_said_of_their_schemas():
    found = {"tool_schema": {"checked": False, "summary": "tool_schema: not checked, because"}}
    bare = {"findings": found, "source": {"tools_from": {"none": 3}}}
    assert list(reports.gates(bare)) == []
    given = {"findings": found, "source": {"tools_from": {"argument": 3}}}
    assert list(reports.gates(given)) == [("tool_schema", "not checked, because")]


def test_lengths_are_an_average():
    assert reports.lengths(SFT) == "250 characters a row on average"
    assert reports.lengths({}) == ""
