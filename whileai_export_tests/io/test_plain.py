"""Objects in memory as the dictionaries they stand for."""

from __future__ import annotations

from dataclasses import dataclass, field

from whileai_export.io.plain import plain_object


@dataclass
class Turn:
    content: str


@dataclass
class Row:
    turns: list[Turn] = field(default_factory=lambda: [Turn("hi")])


def test_a_dictionary_is_itself():
    row = {"a": 1}
    assert plain_object(row) is row


def test_a_dataclass_is_unfolded_to_its_depth():
    assert plain_object(Row()) == {"turns": [{"content": "hi"}]}


def test_a_class_is_not_one_of_its_objects():
    assert plain_object(Row) is Row


def test_everything_else_is_left_as_it_is():
    values = [None, 1, "text", [1], {1}]
    assert [plain_object(value) for value in values] == values
