from __future__ import annotations

import pytest

from whileai_export.pipeline.looking import leak_report, loss_mask
from whileai_export.shared.errors import OptionError

MESSAGES = [
    {"role": "user", "content": "Where is it?"},
    {"role": "assistant", "content": "I look."},
    {"role": "tool", "content": "Ghent"},
    {"role": "assistant", "content": "In Ghent."},
]


def test_every_assistant_turn_is_trained_or_the_last_one():
    assert loss_mask(MESSAGES) == [0, 1, 0, 1]
    assert loss_mask(MESSAGES, "final") == [0, 0, 0, 1]


def test_another_mode_is_refused_with_the_nearest():
    with pytest.raises(OptionError, match="did you mean 'final'"):
        loss_mask(MESSAGES, "finale")  # type: ignore[arg-type]


def test_a_reply_that_quotes_its_grader_is_told_without_a_file():
    secret = "the refund was denied because of a forged receipt"
    row = {
        "prompt": "Why?",
        "final_text": f"Well, {secret}.",
        "steps": [],
        "privileged": {"reference": secret},
    }
    told = leak_report([row])
    assert (told["checked"], told["n_leaked"]) == (True, 1)
