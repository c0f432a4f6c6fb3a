from __future__ import annotations

from typing import Any

import pytest

from whileai_export_tests.hard_inputs.doors import exported, paired, says, user
from whileai_export_tests.hard_inputs.rows import shows


def steps(*made: dict[str, Any], **columns: Any) -> dict[str, Any]:
    return {"prompt": "Where?", "steps": list(made), **columns}


CLOSED = {
    "opener_prompt_final": (
        steps(opener="Hello.", final_text="Here."),
        [says("Hello."), user("Where?"), says("Here.")],
        {},
    ),
    "text_user_final": (
        steps({"text": "Hm."}, {"user": "So?"}, final_text="Here."),
        [user("Where?"), says("Hm."), user("So?"), says("Here.")],
        {},
    ),
    "final_repeats_a_reply": (
        steps({"text": "Here."}, {"user": "Sure?"}, {"text": "Yes."}, final_text="Here."),
        [user("Where?"), says("Here."), user("Sure?"), says("Yes.")],
        {"final_text_differs": 1},
    ),
    "nobody_answered_the_last_user": (
        steps({"text": "Here."}, {"user": "Thanks."}, final_text="Here."),
        [user("Where?"), says("Here.")],
        {"closing_turns_left_out": 1},
    ),
}


@shows("closing-text")
@pytest.mark.parametrize(("row", "talk", "repairs"), CLOSED.values(), ids=CLOSED)
def test_the_final_text_closes_the_conversation_and_every_turn_is_kept(
    tmp_path, row, talk, repairs
):
    rows, report = exported(tmp_path, row)
    assert rows[0]["messages"] == talk
    assert report["repairs"] == repairs


FAILED = {
    "agent_error": ({"final_text": "<agent error timeout>"}, "failed"),
    "error": ({"final_text": "Hm.", "finish_reason": "error"}, "failed"),
    "length": ({"final_text": "Hm.", "finish_reason": "length"}, "cut"),
}


@shows("failed", "pairs-empty")
@pytest.mark.parametrize(("bad", "reason"), FAILED.values(), ids=FAILED)
def test_a_failed_rollout_is_left_out_if_asked_and_warned_of_if_not(tmp_path, bad, reason):
    good = steps(final_text="Here.", scenario_id="t", reward=1)
    poor = steps(**bad, scenario_id="t", reward=0)
    rows, report = exported(tmp_path, good, poor)
    assert len(rows) == 2
    assert any("cut" in warning or "error" in warning for warning in report["warnings"])
    rows, report = exported(tmp_path, good, poor, drop_failed=True)
    assert len(rows) == 1
    assert report["counts"]["filtered"] == {reason: 1}
    report = paired(tmp_path, good, poor)
    assert report["counts"]["filtered"] == {reason: 1, "not_paired": 1}
    assert report["without_pair"] == {"failed": 1}
