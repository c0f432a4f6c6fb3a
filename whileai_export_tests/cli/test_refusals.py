from __future__ import annotations

from typing import Any

from whileai_export.cli import refusals


def report(gate: str, count: int, read: int = 100, **more: Any) -> dict[str, Any]:
    named = [
        {"gate": gate, "row": n, "line": n + 1, "at": "$.final_text", "problem": "quotes it"}
        for n in range(min(count, 20))
    ]
    seen = {"count": count, "named": named, "refuses": True}
    return {
        "counts": {"read": read, "quarantined": 0},
        "options": {"max_quarantined": 0.05},
        "findings": {"readable": {"count": 0, "named": []}, gate: seen},
    } | more


def test_a_refusal_names_the_gate_the_counts_and_the_places():
    assert list(refusals.lines("privileged_leak", report("privileged_leak", 2))) == [
        "privileged_leak: 2 of 100 rows quote the grader's private block",
        "  row 0  line 1  $.final_text  quotes it",
        "  row 1  line 2  $.final_text  quotes it",
    ]


def test_after_the_first_rows_the_rest_is_counted():
    lines = list(refusals.lines("privileged_leak", report("privileged_leak", 40)))
    assert len(lines) == 7
    assert lines[-1] == "  and 35 more rows"


def test_a_file_of_which_no_row_can_be_read_names_the_first():
    found = report("readable", 2, read=2)
    assert refusals.none_readable(found)
    assert refusals.unreadable(found) == (
        "none of 2 rows can be read: line 1, $.final_text: quotes it"
    )
    assert not refusals.none_readable(report("readable", 2))
    assert not refusals.none_readable({"counts": {"read": 3}})


def test_few_leaks_are_mended_by_setting_them_aside():
    said, settings = refusals.remedy("privileged_leak", report("privileged_leak", 2)) or ("", {})
    assert said == "leave these rows out and keep them in a private file"
    assert settings == {"on_leak": "quarantine"}


def test_many_leaks_need_room_in_quarantine_as_well():
    told = refusals.remedy("privileged_leak", report("privileged_leak", 9, read=96))
    assert told is not None
    assert told[1] == {"on_leak": "quarantine", "max_quarantined": 0.1}


def test_arguments_that_are_none_can_be_set_aside():
    found = report("tool_call_roundtrip", 1)
    told = refusals.remedy("tool_call_roundtrip_invalid", found)
    assert told is not None
    assert told[1] == {"on_bad_row": "quarantine"}


def test_too_many_rows_set_aside_need_room_for_all_of_them():
    found = report("privileged_leak", 9, read=96)
    found["options"]["on_leak"] = "quarantine"
    assert refusals.remedy("quarantine_limit", found) == (
        "let that many rows be set aside",
        {"max_quarantined": 0.1},
    )


def test_setting_most_of_a_file_aside_is_no_remedy():
    found = report("readable", 90)
    assert refusals.remedy("quarantine_limit", found) is None


def test_rows_of_the_evaluation_set_have_no_remedy_but_the_data():
    assert refusals.remedy("holdout", report("holdout", 1)) is None


def test_a_refusal_that_is_no_gates_says_its_problem_first():
    lines = refusals.lines("quarantine_limit", report("readable", 9), "quarantine_limit: 9 of 100")
    assert next(lines) == "9 of 100"
