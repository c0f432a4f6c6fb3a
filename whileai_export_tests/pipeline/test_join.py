from __future__ import annotations

from array import array
from copy import deepcopy
from dataclasses import replace

from whileai_export.pipeline.chunk import run_chunk
from whileai_export.pipeline.join import Join, move_tally, moved_unfit
from whileai_export.pipeline.part import Part, Unfit
from whileai_export.shared.findings import Finding
from whileai_export.shared.options import Policy, Selection
from whileai_export.shared.tally import NO_MARKS, NO_PAIR_MARKS, Seen, Tally
from whileai_export_tests.builders import chat_row, job


def joined(*rows_of_parts: list, keep=lambda unfit: None, made=None) -> Join:
    made = made or job()
    with Join(made, keep, NO_MARKS) as join:
        for rows in rows_of_parts:
            part = run_chunk(made, enumerate(rows, 1))
            part.passed_lines = len(rows)
            join.take(part)
    return join


def test_parts_are_joined_in_order():
    join = joined([chat_row("a"), chat_row("b")], [chat_row("a")])
    assert list(join.tracks["openai"].tasks) == [0, 1, 0]
    assert (join.written, join.tally.read, join.marks.trained) == (3, 3, 3)


def test_rows_of_later_parts_have_later_numbers_and_lines():
    kept: list[Unfit] = []
    policy = Policy(on_bad_row="quarantine")
    made = job()
    made = replace(made, options=replace(made.options, policy=policy))
    join = joined([chat_row(), chat_row()], [7], keep=kept.append, made=made)
    assert [(u.row, u.line, u.findings[0].row, u.findings[0].line) for u in kept] == [(2, 3, 2, 3)]
    seen = join.tally.seen["readable"]
    assert (seen.named[0].row, seen.named[0].line, seen.rows) == (2, 3, [2])


def test_recorded_lines_are_not_moved():
    join = joined([chat_row()], [chat_row(loss_mask=[0, 1], source_line=90, messages=[])])
    assert join.tally.seen["readable"].named[0].line == 2


def test_a_duplicate_of_an_earlier_part_is_left_out():
    made = job(selection=Selection(dedupe=True))
    join = joined([chat_row(), chat_row("b")], [chat_row(), chat_row("c")], made=made)
    assert join.written == 3
    assert join.tally.filtered == {"duplicate": 1}
    assert join.marks.trained == 3
    assert list(join.tracks["openai"].tasks) == [0, 1, 2]


def test_the_lines_that_stay_are_kept_aside_as_they_were_staged():
    made = job(selection=Selection(dedupe=True))
    whole, rows = [], [chat_row(), chat_row(), chat_row("b"), chat_row("c")]
    with Join(made, lambda unfit: None, NO_MARKS) as join:
        for some in (rows[:2], rows[2:]):
            part = run_chunk(made, enumerate(some, 1))
            whole += part.staged["openai"].data.splitlines(keepends=True)
            join.take(part)
        spool = join.tracks["openai"].spool
        assert spool.read(0, spool.size) == b"".join([whole[0], *whole[2:]])


def test_a_task_takes_no_more_than_its_share_over_all_parts():
    made = job(selection=Selection(max_per_task=1))
    join = joined([chat_row(), chat_row()], [chat_row(), chat_row("b")], made=made)
    assert (join.written, join.tally.filtered["max_per_task"]) == (2, 2)


def test_signatures_of_all_parts_have_one_numbering():
    join = joined([chat_row()], [chat_row(tier="t")], [chat_row()])
    assert list(join.tracks["openai"].signatures) == [0, 1, 0]


def test_ids_and_lines_follow_the_rows_that_stay():
    made = replace(job(selection=Selection(dedupe=True)), numbered=True, private=True)
    made = replace(made, options=replace(made.options, formats=("trl",)))
    join = joined([chat_row(), chat_row(), chat_row("b")], made=made)
    track = join.tracks["trl"]
    assert list(track.lines) == [1, 3]
    assert len(track.row_ids) == 32


def test_a_part_without_rows_changes_nothing():
    with Join(job(), lambda unfit: None, NO_MARKS) as join:
        join.take(Part({}))
    assert (join.written, join.tally.read) == (0, 0)


def test_a_row_in_memory_has_no_line_to_move():
    unfit = moved_unfit(Unfit((Finding("readable", "$", "p", 1, None),), 7, 1, None), 5, 9)
    assert (unfit.row, unfit.line, unfit.findings[0].row, unfit.findings[0].line) == (
        6,
        None,
        6,
        None,
    )


def test_counts_are_not_moved():
    tally = Tally()
    tally.seen["structure"] = Seen(3, 2, [Finding("structure", "$", "p", 0, 1)], [0], 4)
    move_tally(tally, 10, 20)
    seen = tally.seen["structure"]
    assert (seen.checked, seen.count, seen.rows, seen.disclosed) == (3, 2, [10], 4)
    assert (seen.named[0].row, seen.named[0].line) == (10, 21)


def test_lengths_are_those_of_the_rows_that_stay():
    made = job(selection=Selection(dedupe=True))
    join = joined([chat_row(), chat_row()], made=made)
    assert join.lengths.characters == array("q", [31])


def test_a_recorded_line_moves_no_line_beside_it():
    kept: list[Unfit] = []
    made = job()
    made = replace(made, options=replace(made.options, policy=Policy(on_bad_row="quarantine")))
    staged = chat_row(loss_mask=[0, 1], source_line=90, messages=[{"role": "?", "content": ""}])
    joined([chat_row(), chat_row()], [staged, 7], keep=kept.append, made=made)
    assert [unfit.line for unfit in kept] == [3, 4]


def test_findings_on_pairs_of_later_parts_number_the_sides():
    part = Part({})
    part.tally.read = 1
    finding = Finding("readable", "$", "expected text").of(1, None)
    part.tally.gate("readable").add([finding])
    part.unfit.append(Unfit((finding,), {}, 0, None))
    kept: list[Unfit] = []
    with Join(job(), kept.append, NO_PAIR_MARKS) as join:
        for _ in range(3):
            join.take(deepcopy(part))
    assert join.tally.seen["readable"].rows == [1, 3, 5]
    assert [(unfit.row, unfit.findings[0].row) for unfit in kept] == [(0, 1), (1, 3), (2, 5)]
