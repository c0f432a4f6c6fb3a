from __future__ import annotations

from whileai_export.core.mask import by_role, is_empty, last_only, still_trained, trained
from whileai_export_tests.core.turns import assistant, tool, user

CALL = [{"id": "a", "name": "note", "arguments": {}}]
TURNS = [user("go"), assistant(tool_calls=CALL), tool("1"), assistant("Done."), user("thanks")]


def test_every_assistant_turn_carries_loss():
    assert by_role(TURNS, "assistant") == [0, 1, 0, 1, 0]


def test_the_final_mode_trains_the_last_assistant_turn_alone():
    assert by_role(TURNS, "final") == [0, 0, 0, 1, 0]


def test_a_mask_of_nothing_is_empty():
    assert by_role([], "final") == []
    assert last_only([]) == []


def test_a_turn_without_a_role_carries_no_loss():
    assert by_role([{}, {"role": "Assistant"}, "assistant", None], "assistant") == [0, 0, 0, 0]


def test_an_assistant_turn_that_says_nothing_is_empty():
    assert is_empty(assistant(" \n"))
    assert not is_empty(assistant("", tool_calls=CALL))


def test_the_exporters_give_an_empty_turn_no_loss():
    turns = [user("go"), assistant("Yes."), user("and?"), assistant("No."), assistant("")]
    assert trained(turns, "assistant") == [0, 1, 0, 1, 0]


def test_final_means_the_last_turn_that_says_something():
    turns = [user("go"), assistant("Yes."), user("and?"), assistant("No."), assistant("")]
    assert trained(turns, "final") == [0, 0, 0, 1, 0]


def test_a_mask_that_came_with_the_row_is_kept():
    assert still_trained([0, 0, 0, 1, 0], TURNS) == [0, 0, 0, 1, 0]


def test_a_kept_mask_ends_where_the_turns_end():
    assert still_trained([0, 1, 0, 1, 0], TURNS[:3]) == [0, 1, 0]


def test_a_kept_mask_does_not_train_a_turn_that_says_nothing_any_more():
    assert still_trained([0, 1], [user("go"), assistant("")]) == [0, 0]
