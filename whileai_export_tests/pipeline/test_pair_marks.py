from __future__ import annotations

from whileai_export.core.canonical import PairRow
from whileai_export.core.wire import PREFERENCE
from whileai_export.pipeline.pair_marks import PairMeasure
from whileai_export.shared.tally import PairMarks
from whileai_export_tests.builders import TOOLS, job, messages, steps_row
from whileai_export_tests.core.turns import assistant, user

GOOD, BAD = messages(steps_row()), [user("Where is parcel 7?"), assistant("No.")]
FACTS = {"length_delta": 10, "first_turn_differs": True, "margin": 0.75, "same_policy": True}


def marks(chosen=GOOD, rejected=BAD, tools=None, **facts: object) -> PairMarks:
    row = PairRow("ask", chosen, rejected, tools)
    lines = {"trl": [PREFERENCE["trl"](row)], "openai": [PREFERENCE["openai"](row)]}
    return PairMarks(*PairMeasure(job()).marks(row, {**FACTS, **facts}, lines))


def test_a_pair_adds_what_it_teaches():
    made = marks()
    assert (made.longer, made.same_first_turn, made.mixed_policies) == (1, 0, 0)
    assert (made.margins, made.margin) == (1, 750_000_000)
    assert made.foreign == 1


def test_a_shorter_chosen_side_of_another_policy_is_told():
    made = marks(length_delta=-1, first_turn_differs=False, same_policy=False)
    assert (made.longer, made.same_first_turn, made.mixed_policies) == (0, 1, 1)


def test_an_enormous_margin_is_bounded():
    assert marks(margin=1e300).margin == 10**15
    assert marks(margin=-1e300).margin == -(10**15)


def test_what_is_missing_around_the_sides_is_told():
    assert (marks().without_system, marks().without_tools) == (1, 1)
    system = {"role": "system", "content": "Be brief."}
    made = marks([system, *GOOD], [system, *BAD], TOOLS)
    assert (made.without_system, made.without_tools) == (0, 0)
    assert marks(BAD, BAD).without_tools == 0


def test_a_pair_is_as_long_as_its_longer_side():
    assert marks().characters == marks(BAD, GOOD).characters > marks(BAD, BAD).characters
