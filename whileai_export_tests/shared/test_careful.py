from __future__ import annotations

from whileai_export.shared.careful import CAREFUL_PAIRS, CAREFUL_SFT
from whileai_export.shared.options import Policy


def test_people_who_want_a_good_dataset_get_selection_without_asking():
    chosen = CAREFUL_SFT.selection
    assert (chosen.min_reward, chosen.drop_failed, chosen.dedupe, chosen.trim_tail) == (
        0.5, True, True, True,
    )  # fmt: skip
    assert (CAREFUL_PAIRS.min_margin, CAREFUL_PAIRS.selection.min_reward) == (0.3, 0.5)


def test_unreadable_rows_are_kept_out_and_leaks_refused():
    for options in (CAREFUL_SFT, CAREFUL_PAIRS):
        assert options.policy == Policy(on_bad_row="quarantine", max_quarantined=0.05)


def test_what_is_published_beside_a_formats_own_columns():
    assert CAREFUL_SFT.columns == ("row_id", "task", "reward")
    assert CAREFUL_SFT.formats == CAREFUL_PAIRS.formats == ("openai", "trl")
