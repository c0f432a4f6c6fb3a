from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from whileai_export.pipeline.looking import leak_report, loss_mask
from whileai_export.shared.errors import OptionError, SourceError

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


@pytest.mark.parametrize(
    ("given", "got"),
    [
        ({"messages": MESSAGES}, "a row"),
        ("train.jsonl", "text"),
        (Path("train.jsonl"), "a Python PosixPath"),
        (None, "null"),
        ([{"messages": MESSAGES}, {"messages": MESSAGES}], "a list in which nothing has a role"),
        (["user", "assistant"], "a list in which nothing has a role"),
    ],
)
def test_what_is_no_list_of_messages_has_no_mask(given: Any, got: str):
    with pytest.raises(SourceError) as refused:
        loss_mask(given)
    assert str(refused.value) == (
        f"expected the messages of one row (row['messages'] of training_rows), got {got}"
    )


def test_no_message_has_an_empty_mask():
    assert loss_mask([]) == []


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
