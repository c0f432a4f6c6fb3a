from __future__ import annotations

import orjson
import pytest

from whileai_export.core.round_trip import round_trip
from whileai_export.pipeline.part import GAP, Part, Staged
from whileai_export.pipeline.writer import Writer
from whileai_export.shared.options import Selection
from whileai_export.shared.schema import GROUP_FIELDS
from whileai_export.shared.tally import Marks
from whileai_export_tests.builders import chat_row, job, steps_row, trajectory


def written(row: dict, **options: object) -> Part:
    made = job(**options)
    part = Part({name: Staged() for name in made.options.formats})
    found = trajectory(row)
    texts = round_trip(found.messages)[1]
    Writer(made, made.options, part).write(found, texts, (), made.options.formats)
    for staged in part.staged.values():
        staged.seal()
    return part


def marks(part: Part) -> list[Marks]:
    width = len(Marks._fields)
    return [Marks(*part.marks[n : n + width]) for n in range(0, len(part.marks), width)]


def test_a_row_adds_its_marks():
    (mark,) = marks(written(steps_row(finish_reason="length")))
    assert (mark.trained, mark.masked, mark.passed, mark.failed, mark.cut) == (2, 2, 1, 0, 1)
    assert (mark.with_system, mark.with_tools, mark.open_end) == (0, 0, 0)


@pytest.mark.parametrize(
    ("reward", "marked"),
    [
        (1, (1, 0, 0)),
        (0.5, (1, 0, 0)),
        (0.49, (0, 1, 0)),
        (0, (0, 1, 0)),
        (None, (0, 0, 1)),
        (1.5, (0, 0, 1)),
    ],
)
def test_a_row_passed_or_failed_or_is_ungraded(reward: float | None, marked: tuple[int, ...]):
    (mark,) = marks(written(chat_row(reward=reward)))
    assert (mark.passed, mark.failed, mark.ungraded) == marked


def test_a_row_that_ends_on_a_user_turn_is_marked_and_trimmed_when_asked():
    turns = [*chat_row()["messages"], {"role": "user", "content": "Thanks."}]
    row = chat_row(messages=turns)
    assert marks(written(row))[0].open_end == 1
    trimmed = written(row, selection=Selection(trim_tail=True))
    assert marks(trimmed)[0].open_end == 0
    assert b"Thanks." not in trimmed.staged["openai"].data


def test_arguments_of_trimmed_turns_are_not_measured():
    row = steps_row(final_text="")
    row["steps"].append({"user": "And now?"})
    whole, cut = (marks(written(row, selection=Selection(trim_tail=t)))[0] for t in (False, True))
    assert cut.characters < whole.characters


def test_samples_are_numbered_and_counted():
    part = written(steps_row(), unroll=True)
    assert list(part.turns) == [1, 2]
    assert list(part.sources) == [0, 0]
    assert (part.tally.unrolled, part.tally.calls_checked) == (1, 1)
    assert [mark.trained for mark in marks(part)] == [1, 1]


def test_a_conversation_without_an_answer_is_one_row_without_loss():
    part = written({"prompt": "a", "steps": [], "final_text": ""}, unroll=True)
    assert [mark.trained for mark in marks(part)] == [0]
    assert (list(part.turns), part.tally.unrolled) == ([0], 0)


def test_samples_are_no_group_also_where_nothing_is_answered():
    group = dict(zip(GROUP_FIELDS, ("g", 2, 1, 1, 0.5, 0.5), strict=True))
    asked = [{"role": "user", "content": "a"}]
    for turns in (asked, [*asked, {"role": "assistant", "content": "b"}]):
        row = chat_row(messages=turns, loss_mask=[0] * len(turns), **group)
        assert GROUP_FIELDS[0] in rows(written(row), "openai")[0]
        (sample,) = rows(written(row, unroll=True), "openai")
        assert not set(GROUP_FIELDS) & sample.keys()


def test_an_unrolled_row_is_not_unrolled_again():
    (first, second) = rows(written(steps_row(), unroll=True), "openai")
    for sample in (first, second):
        part = written(sample, unroll=True)
        assert [row["unroll"] for row in rows(part, "openai")] == [sample["unroll"]]
        assert part.tally.unrolled == 0


def test_empty_assistant_turns_are_counted_once_a_row():
    turns = [{"role": "assistant", "content": ""}, *chat_row()["messages"]]
    for unroll in (False, True):
        repairs = written({"messages": turns}, unroll=unroll).tally.repairs
        assert repairs == {"empty_assistant_turns": 1}


def test_an_empty_turn_of_anybody_else_is_not_the_assistants():
    turns = [{"role": "user", "content": ""}, {"role": "assistant", "content": ""}]
    part = written({"messages": [*turns, *chat_row()["messages"]]})
    assert part.tally.repairs == {"empty_assistant_turns": 1}


def test_reasoning_that_was_taken_out_is_counted_once_a_row():
    row = steps_row(reply="<think>hm</think>Yes.")
    for unroll in (False, True):
        assert written(row, unroll=unroll).tally.repairs == {"think_closed": 1}
    assert written(row, strip_think=False).tally.repairs == {}


def test_a_turn_without_loss_is_marked_as_trained_anyway():
    (mark,) = marks(written(steps_row(), mask_mode="final"))
    assert (mark.trained, mark.trained_anyway) == (1, 1)


def test_conversations_are_keyed_only_where_rows_are_compared():
    assert written(chat_row()).keys == []
    (key,) = written(chat_row(), selection=Selection(dedupe=True)).keys
    assert len(key) == 32


def test_a_row_is_staged_in_every_format():
    part = written(steps_row(), formats=("openai", "trl-completion", "fireworks"))
    lines = {name: staged.data.count(b"\n") for name, staged in part.staged.items()}
    assert lines == {"openai": 1, "trl-completion": 2, "fireworks": 1}
    assert GAP in part.staged["openai"].data


TWO_STEPS = [
    {"tool": "track", "arguments": {"parcel": n}, "result": result, "text": f"Looking {n}."}
    for n, result in ((1, "at the depot"), (2, "on the van"))
]


def rows(part: Part, format: str) -> list[dict]:
    return [
        orjson.loads(line.replace(GAP, b",") + b"}")
        for line in part.staged[format].data.splitlines()
    ]


def test_every_sample_counts_the_output_that_was_cut_in_it():
    part = written(steps_row(steps=TWO_STEPS), unroll=True, max_tool_output_chars=4)
    samples = rows(part, "openai")
    assert [sample.get("tool_output_truncated") for sample in samples] == [None, 1, 2]
    assert [sample.get("tool_output_chars_cut") for sample in samples] == [None, 8, 14]
    assert [sample["unroll"]["turn"] for sample in samples] == [1, 2, 3]
    assert [m["content"][:6] for m in samples[2]["messages"] if m["role"] == "tool"] == [
        "at t\n[",
        "on t\n[",
    ]


@pytest.mark.parametrize("format", ["openai", "trl", "fireworks"])
def test_a_sample_begins_as_its_row_does(format):
    row = steps_row(steps=TWO_STEPS)
    (whole,) = rows(written(row, formats=(format,)), format)
    samples = rows(written(row, formats=(format,), unroll=True), format)
    said = [[(m["role"], m.get("tool_calls")) for m in one["messages"]] for one in samples]
    turns = [(m["role"], m.get("tool_calls")) for m in whole["messages"]]
    assert said == [turns[:2], turns[:4], turns[:6]]


def test_the_weight_of_a_turn_is_that_of_its_own_sample():
    samples = rows(written(steps_row(), formats=("fireworks",), unroll=True), "fireworks")
    weights = [[m["weight"] for m in one["messages"] if "weight" in m] for one in samples]
    assert weights == [[1], [0, 1]]


def test_samples_of_a_row_whose_output_is_cut_share_their_messages():
    part = written(steps_row(steps=TWO_STEPS), unroll=True, max_tool_output_chars=4)
    first, second, third = (row["messages"] for row in rows(part, "openai"))
    assert (third[: len(second)], second[: len(first)]) == (second, first)
    assert third[2]["content"] == "at t\n[... 8 chars of tool output truncated]"


@pytest.mark.parametrize(
    ("format", "name"),
    [
        ("openai", "prompt"),
        ("trl", "prompt_text"),
        ("trl-completion", "prompt_text"),
        ("kto", "prompt_text"),
    ],
)
def test_the_ask_has_a_name_that_means_nothing_else_to_the_trainer(format, name):
    (row,) = rows(written(chat_row(), formats=(format,)), format)
    assert row[name] == "Where is parcel 7?"
