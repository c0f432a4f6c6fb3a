from __future__ import annotations

from typing import Any

from whileai_export.shared.remedies import (
    UNREADABLE,
    by_hand,
    none_readable,
    remedy,
    sets,
    unreadable,
)


def report(gate: str, count: int, read: int = 100) -> dict[str, Any]:
    return {
        "counts": {"read": read, "quarantined": 0},
        "options": {"max_quarantined": 0.05},
        "findings": {"readable": {"count": 0}, gate: {"count": count}},
    }


def test_a_file_of_which_no_row_can_be_read_names_the_first():
    found = report("readable", 2, read=2)
    place = {"row": 0, "line": 1, "at": "$.final_text", "problem": "expected text"}
    found["findings"]["readable"]["named"] = [place]
    assert none_readable(found)
    assert unreadable(found) == "none of 2 rows can be read: line 1, $.final_text: expected text"
    assert not none_readable(report("readable", 2))
    assert not none_readable({"counts": {"read": 3}})


def test_some_rows_that_cannot_be_read_are_mended_by_setting_them_aside():
    _, settings = remedy(UNREADABLE, report("readable", 2)) or ("", {})
    assert settings == {"on_bad_row": "quarantine"}
    _, settings = remedy(UNREADABLE, report("readable", 2, read=5)) or ("", {})
    assert settings == {"on_bad_row": "quarantine", "max_quarantined": 0.4}
    assert remedy(UNREADABLE, report("readable", 3, read=5)) is None


def test_few_leaks_are_mended_by_setting_them_aside():
    said, settings = remedy("privileged_leak", report("privileged_leak", 2)) or ("", {})
    assert said == "leave these rows out and keep them in a private file"
    assert settings == {"on_leak": "quarantine"}


def test_rows_that_cannot_be_read_are_named_with_what_goes_the_same_way():
    found = report("privileged_leak", 1)
    found["findings"]["readable"]["count"] = 2
    found["options"]["on_bad_row"] = "quarantine"
    said, _ = remedy("privileged_leak", found) or ("", {})
    assert said == (
        "leave these rows out, with 2 rows that cannot be read, and keep them in a private file"
    )


def test_many_leaks_need_room_in_quarantine_as_well():
    told = remedy("privileged_leak", report("privileged_leak", 9, read=96))
    assert told is not None
    assert told[1] == {"on_leak": "quarantine", "max_quarantined": 0.1}


def test_arguments_that_are_none_can_be_set_aside():
    found = report("tool_call_roundtrip", 1)
    told = remedy("tool_call_roundtrip_invalid", found)
    assert told is not None
    assert told[1] == {"on_bad_row": "quarantine"}


def test_too_many_rows_set_aside_need_room_for_all_of_them():
    found = report("privileged_leak", 9, read=96)
    found["options"]["on_leak"] = "quarantine"
    assert remedy("quarantine_limit", found) == (
        "let that many rows be set aside",
        {"max_quarantined": 0.1},
    )


def test_setting_most_of_a_file_aside_is_no_remedy():
    found = report("readable", 90)
    assert remedy("quarantine_limit", found) is None


def test_rows_of_the_evaluation_set_have_no_remedy_but_the_data():
    assert remedy("holdout", report("holdout", 1)) is None
    assert by_hand("holdout", {}) == (
        "take these tasks out of the simulation, or out of the evaluation files"
    )
    assert by_hand("source", {}) == "mend these rows in the simulation"


def test_settings_read_as_options_of_a_run():
    settings = {"on_leak": "quarantine", "strict": False}
    assert sets(settings) == ["--set", "on_leak=quarantine", "--set", "strict=false"]


def test_rows_of_which_none_has_a_reward_are_taken_without_a_least_one():
    told = remedy("ungraded", report("readable", 0))
    assert told == ("take rows without a reward too", {"min_reward": None})
    assert sets(told[1]) == ["--set", "min_reward=none"]


def test_where_no_row_comes_out_of_an_adapter_it_is_the_adapter_that_is_mended():
    found = report("readable", 100)
    assert by_hand("quarantine_limit", found) == "mend these rows in the simulation"
    found["options"]["adapter"] = "mine:read"
    assert by_hand("quarantine_limit", found) == (
        "mend the adapter mine:read: no row can be read that comes out of it"
    )
    found["findings"]["readable"]["count"] = 99
    assert by_hand("quarantine_limit", found) == "mend these rows in the simulation"
