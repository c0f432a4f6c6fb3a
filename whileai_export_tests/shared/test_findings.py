from __future__ import annotations

from whileai_export.shared.findings import Finding


def test_a_finding_is_plain_without_empty_entries():
    assert Finding("structure", "$.messages", "expected turns").plain() == {
        "gate": "structure",
        "at": "$.messages",
        "problem": "expected turns",
        "row": -1,
    }


def test_a_finding_is_placed_in_its_source():
    finding = Finding("structure", "$", "p", length=0).of(0, 1)
    assert (finding.row, finding.line) == (0, 1)
    assert finding.plain() == {
        "gate": "structure", "at": "$", "problem": "p", "row": 0, "line": 1, "length": 0,
    }  # fmt: skip
