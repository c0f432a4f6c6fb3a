from __future__ import annotations

from whileai_export.core.identity import task_key
from whileai_export.pipeline.job import Job
from whileai_export.pipeline.scout import candidates, run_scout
from whileai_export.shared.options import PairOptions, Policy
from whileai_export.shared.schema import Surroundings
from whileai_export_tests.builders import bad_call_row, chat_row, steps_row

TASK = task_key("Where is parcel 7?")


def found(*rows: object, adapter=None, **options: object):
    made = Job(PairOptions(**options), Surroundings(), adapter=adapter)
    return run_scout(made, enumerate(rows, 1))


def test_a_candidate_is_a_small_record_and_the_row_is_put_aside():
    made = found(chat_row(reward=0.5, rollout_index=3))
    (candidate,) = candidates(bytearray(b"".join(made.records)), [0])
    assert (candidate.reward, candidate.rollout_index, candidate.length) == (0.5, 3, 13)
    assert len(made.records[0]) == 72
    assert made.tasks == [TASK]


def test_candidates_come_with_task_and_place_among_the_rows_of_their_task():
    rows = [chat_row(), chat_row("b"), chat_row(reward=None), chat_row(), chat_row("b")]
    made = found(*rows)
    told = [(task, number) for task, _, number, _ in made.candidates()]
    assert told == [(TASK, 0), (task_key("b"), 0), (TASK, 2), (task_key("b"), 1)]
    places = range(len(made.records))
    assert len({c.row for c in candidates(bytearray(b"".join(made.records)), places)}) == 2
    assert [row for *_, row in made.candidates()] == made.rows


def test_what_was_read_is_counted():
    tools = [{"type": "function", "function": {"name": "track"}}]
    made = found(chat_row(tools=tools), steps_row(reward="1"), chat_row(reply="\ud800"))
    assert made.tally.read == 3
    assert made.tally.shapes == {"messages": 2, "steps": 1}
    assert made.tally.prompts == {"none": 3}
    assert made.tally.tools == {"row": 1, "none": 2}
    assert made.tally.rewards == {"text": 1}
    assert made.tally.repairs == {"surrogates_replaced": 1}


def test_a_rollout_is_graded_unless_its_judge_failed():
    made = found(chat_row(judge_status="ok"), chat_row(judge_status="late"), chat_row())
    assert (made.rollouts[TASK], made.graded[TASK], len(made.rows)) == (3, 2, 2)
    assert made.tally.filtered == {"ungraded": 1}


def test_a_line_is_put_aside_as_it_is():
    turns = b'[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]'
    line = b'{"messages": ' + turns + b', "reward": 1}'
    assert found(line).rows == [line]


def test_a_row_that_went_through_an_adapter_is_put_aside_as_it_came_out():
    made = found(b'{"q": 1}', adapter=lambda row: chat_row("a", "b"))
    assert made.rows[0].startswith(b'{"messages": [{"role": "user", "content": "a"}')


def test_rows_with_one_ask_have_one_key_for_it():
    rows = chat_row(reply="a"), chat_row(reply="b"), chat_row("Other?", "a")
    made = found(*rows)
    one, two, three = candidates(bytearray(b"".join(made.records)), range(3))
    assert one.ask == two.ask != three.ask
    assert one.reply == three.reply != two.reply


def test_a_rollout_number_that_is_none_counts_as_absent():
    made = found(*(chat_row(rollout_index=n) for n in ("3", -1, 2**70, None)))
    known = candidates(bytearray(b"".join(made.records)), range(4))
    assert [candidate.rollout_index for candidate in known] == [None] * 4


def test_rows_that_cannot_stand_in_a_pair_are_filtered_by_reason():
    made = found(
        chat_row(reward=None),
        chat_row(judge_status="error"),
        chat_row(finish_reason="length"),
        chat_row(reply="<agent error>"),
        chat_row(reply="<think>x</think>"),
        {"messages": [{"role": "assistant", "content": "a"}], "reward": 1},
    )
    assert made.tally.filtered == {
        "ungraded": 2, "cut": 1, "failed": 1, "empty": 1, "no_task": 1,
    }  # fmt: skip
    assert (made.alone, made.rows) == (1, [])


def test_every_readable_rollout_of_a_task_is_counted():
    policy = Policy(on_bad_row="quarantine")
    made = found(chat_row(), bad_call_row(), chat_row(reward=None), 7, policy=policy)
    assert (made.rollouts[TASK], made.graded[TASK]) == (3, 2)
    assert [unfit.line for unfit in made.unfit] == [2, 4]


def test_a_row_that_is_kept_out_names_what_keeps_it_out_first():
    calls = {**bad_call_row(), "final_text": "Well, the amber door code is 4418."}
    row = {**calls, "privileged": {"note": "the amber door code is 4418"}}
    made = found(row, policy=Policy(validate=False, on_leak="quarantine"))
    assert [finding.gate for finding in made.unfit[0].findings] == [
        "privileged_leak",
        "tool_call_roundtrip",
    ]


def test_rows_in_memory_may_hold_what_only_python_has():
    made = found({**steps_row(), "usage": {"tokens": float("nan")}, "tags": ("a", "b")})
    assert b'"tags": ["a", "b"]' in made.rows[0]


def test_equal_conversations_are_told_apart_by_their_rows():
    made = found(chat_row(reason="a"), chat_row(reason="b"))
    one, two = candidates(bytearray(b"".join(made.records)), range(2))
    assert one.key == two.key
    assert one.row != two.row
