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


def test_a_refusal_that_is_no_gates_says_its_problem_first():
    lines = refusals.lines("quarantine_limit", report("readable", 9), "quarantine_limit: 9 of 100")
    assert next(lines) == "9 of 100"
