from __future__ import annotations

import orjson
import pytest

from whileai_export.pipeline.conversations import Conversations
from whileai_export.pipeline.part import SYSTEM
from whileai_export_tests.core.turns import assistant, user

BRIEF = {"role": "system", "content": "Be brief."}


@pytest.mark.parametrize("shares", [False, True])
def test_the_prompt_of_all_rows_leaves_only_its_place(shares):
    made = Conversations("Be brief.").encoded([dict(BRIEF), user("a")], shares=shares)
    assert made == b"[" + SYSTEM + b',{"role":"user","content":"a"}]'


@pytest.mark.parametrize("shares", [False, True])
def test_a_prompt_of_the_rows_own_is_written(shares):
    made = Conversations("Be kind.").encoded([dict(BRIEF), user("a")], shares=shares)
    assert orjson.loads(made) == [BRIEF, user("a")]


def test_a_longer_sample_begins_with_the_text_of_a_shorter_one():
    turns = [user("a"), assistant("b"), user("c"), assistant("d")]
    made = Conversations(None)
    short = made.encoded(turns[:2], shares=True)
    assert made.encoded(turns, shares=True) == short[:-1] + b"," + orjson.dumps(turns[2:])[1:]


def test_a_message_that_was_changed_is_another_message():
    made = Conversations(None)
    turn = user("a")
    made.encoded([turn], shares=True)
    assert orjson.loads(made.encoded([{**turn, "content": "b"}], shares=True)) == [user("b")]


def test_messages_that_are_gone_lend_their_text_to_no_other():
    made = Conversations(None)
    for number in range(1000):
        said = [user(f"{number}")]
        assert orjson.loads(made.encoded(said, shares=True)) == said
        del said


def test_more_prompts_than_are_remembered_are_written_all_the_same():
    made = Conversations(None)
    prompts = [{"role": "system", "content": f"{number}"} for number in range(600)]
    texts = [orjson.loads(made.encoded([prompt])) for prompt in prompts]
    assert texts == [[prompt] for prompt in prompts]
