from __future__ import annotations

import warnings

import dagster as dg

from whileai_export.defs.checks import (
    CHECKS,
    DESCRIPTIONS,
    check_specs,
    gate_result,
    gate_results,
    has_rows,
)
from whileai_export.defs.dataset import Dataset

SEEN = {"checked": True, "n_checked": 9, "count": 2, "named": [], "refuses": True, "summary": "two"}


def test_every_declared_check_is_described():
    assert {name for checks in CHECKS.values() for name in checks} == DESCRIPTIONS.keys()


def test_checks_are_declared_by_partition_without_a_warning():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        specs = check_specs(Dataset(), "sft_jsonl")
    assert [(spec.name, spec.blocking) for spec in specs] == [
        ("tool_call_roundtrip", True),
        ("privileged_leak", True),
        ("holdout", True),
        ("has_rows", False),
    ]
    assert {spec.partitions_def.name for spec in specs} == {"simulation"}
    assert caught == []


def test_a_gate_that_refuses_is_red():
    result = gate_result("privileged_leak", SEEN, blocking=True, refused=True)
    assert (result.passed, result.severity) == (False, dg.AssetCheckSeverity.ERROR)
    assert result.description == "two"


def test_findings_that_were_set_aside_leave_the_gate_green():
    seen = {**SEEN, "refuses": False}
    assert gate_result("privileged_leak", seen, blocking=True, refused=False).passed
    assert not gate_result("privileged_leak", seen, blocking=True, refused=True).passed


def test_a_warning_gate_warns_of_any_finding():
    result = gate_result("structure", {**SEEN, "refuses": False}, blocking=False, refused=False)
    assert (result.passed, result.severity) == (False, dg.AssetCheckSeverity.WARN)


def test_a_gate_that_did_not_run_is_not_green_where_it_blocks():
    results = gate_results("training_rows", {}, refused=True)
    assert [(r.check_name, r.passed) for r in results] == [
        ("tool_call_roundtrip", False),
        ("privileged_leak", False),
        ("structure", True),
        ("tool_schema", True),
        ("policy", True),
        ("secrets", True),
    ]


def test_no_rows_warns_with_the_reasons():
    result = has_rows({"counts": {"written": 0, "filtered": {"min_reward": 3, "duplicate": 1}}})
    assert (result.passed, result.severity) == (False, dg.AssetCheckSeverity.WARN)
    assert result.description == "nothing qualifies: duplicate 1, min_reward 3"
