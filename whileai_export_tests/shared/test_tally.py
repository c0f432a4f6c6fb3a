from __future__ import annotations

from dataclasses import fields

from whileai_export.shared.findings import Finding
from whileai_export.shared.tally import NO_MARKS, NO_PAIR_MARKS, Seen, Tally


def finding(row: int) -> Finding:
    return Finding("structure", "$", "p", row)


def test_the_first_twenty_findings_are_named_and_all_rows_counted():
    seen = Seen()
    for row in range(30):
        seen.add([finding(row), finding(row)])
    assert (seen.count, len(seen.named), seen.rows) == (30, 20, list(range(20)))


def test_tallies_of_parts_add_up():
    one, other = Tally(read=1, unrolled=2, quarantined=3), Tally(read=10, calls_checked=4)
    one.filtered["cut"] = 1
    other.filtered.update(cut=2, failed=1)
    one.gate("structure").add([finding(0)])
    other.gate("structure").add([finding(5)])
    other.gate("policy").checked = 7
    total = one + other
    assert (total.read, total.unrolled, total.quarantined, total.calls_checked) == (11, 2, 3, 4)
    assert total.filtered == {"cut": 3, "failed": 1}
    assert total.seen["structure"].rows == [0, 5]
    assert total.seen["policy"].checked == 7


def test_no_more_than_twenty_are_named_in_a_sum():
    one, other = Seen(), Seen()
    for row in range(15):
        one.add([finding(row)])
        other.add([finding(row + 15)])
    total = one + other
    assert (total.count, len(total.named), len(total.rows)) == (30, 20, 20)


def test_every_field_adds():
    whole = Tally() + Tally()
    for entry in fields(Tally):
        assert getattr(whole, entry.name) == getattr(Tally(), entry.name), entry.name


def test_nothing_marks_nothing():
    assert set(NO_MARKS) == set(NO_PAIR_MARKS) == {0}
