from __future__ import annotations

from whileai_export.shared.counted import agreeing, counted


def test_a_count_reads_as_a_person_says_it():
    assert [counted(1, "row"), counted(1164, "call")] == ["1 row", "1,164 calls"]


def test_what_an_s_does_not_make_is_said():
    assert [counted(n, "entry", "entries") for n in (0, 1, 2)] == [
        "0 entries",
        "1 entry",
        "2 entries",
    ]


def test_the_verb_goes_with_the_number():
    assert [agreeing(n, "has", "have") for n in (0, 1, 2)] == ["have", "has", "have"]
