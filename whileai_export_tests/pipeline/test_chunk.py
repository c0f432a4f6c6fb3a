from __future__ import annotations

from whileai_export.core.identity import task_key
from whileai_export.pipeline.chunk import run_chunk
from whileai_export.pipeline.job import Job
from whileai_export.shared.options import Policy, Selection, SftOptions
from whileai_export.shared.schema import Surroundings
from whileai_export_tests.builders import bad_call_row, chat_row, job, leaking_row, steps_row

KEEPS = Policy(on_bad_row="quarantine", on_leak="quarantine")


def part(*rows: object, **options: object):
    numbered = ((n, row) for n, row in enumerate(rows, 1))
    return run_chunk(Job(SftOptions(**options), Surroundings()), numbered)


def test_every_readable_row_is_in_the_index():
    made = part(chat_row(), 7, bad_call_row(reward=0), chat_row("b", reward=None, rollout_index=5),
                policy=KEEPS)  # fmt: skip
    assert made.tasks == [task_key("Where is parcel 7?")] * 2 + [task_key("b")]
    assert [str(reward) for reward in made.rewards] == ["1.0", "0.0", "nan"]
    assert made.rollouts == [None, None, 5]
    assert list(made.sources) == [0, 2]


def test_a_row_that_names_no_task_has_no_key():
    assert part({"messages": [{"role": "assistant", "content": "a"}]}).tasks == [None]


def test_what_is_kept_out_is_kept_whole_with_row_and_line():
    made = part(chat_row(), 7, leaking_row(), policy=KEEPS)
    assert [(u.findings[0].gate, u.raw, u.row, u.line) for u in made.unfit] == [
        ("readable", 7, 1, 2),
        ("privileged_leak", leaking_row(), 2, 3),
    ]
    assert made.tally.quarantined == 2


def test_where_rows_are_refused_none_is_kept():
    made = part(chat_row(), 7, leaking_row())
    assert (made.unfit, made.tally.quarantined) == ([], 2)


def test_what_is_selected_out_is_counted_by_reason():
    made = part(chat_row(reward=0.1), chat_row(reward=None), chat_row(),
                selection=Selection(min_reward=0.5))  # fmt: skip
    assert made.tally.filtered == {"min_reward": 1, "ungraded": 1}


def test_a_row_that_no_format_can_say_is_filtered():
    made = part(bad_call_row(), formats=("trl",), policy=Policy(validate=False))
    assert made.tally.filtered == {"arguments_not_an_object": 1}
    assert made.staged["trl"].data == b""


def test_where_the_rows_came_from_is_counted():
    made = part(chat_row(), steps_row(reward="1"), chat_row(reward=7))
    assert made.tally.shapes == {"messages": 2, "steps": 1}
    assert made.tally.prompts == {"none": 3}
    assert made.tally.rewards == {"text": 1, "out_of_range": 1}


def test_staged_lines_end_the_part_in_one_piece():
    made = part(chat_row(), chat_row("b"))
    assert made.staged["openai"].data.count(b"\n") == 2
    assert list(made.staged["openai"].owners) == [0, 1]


def test_where_prompt_and_tools_came_from_is_counted():
    tools = [{"type": "function", "function": {"name": "track"}}]
    tally = run_chunk(job(), enumerate([chat_row(), chat_row(tools=tools)], 1)).tally
    assert (tally.prompts, tally.tools) == ({"none": 2}, {"none": 1, "row": 1})
