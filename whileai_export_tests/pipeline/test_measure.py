from __future__ import annotations

from pathlib import Path

import pytest

from whileai_export import export_dataset, export_preference
from whileai_export.pipeline import measure
from whileai_export.pipeline.measure import foreign
from whileai_export.shared.errors import OptionError
from whileai_export.shared.schema import Message

CALL = {"id": "a", "name": "track", "arguments": {"order": "A7"}}
ROW = {
    "messages": [
        {"role": "user", "content": "1234567890"},
        {"role": "assistant", "content": "", "tool_calls": [CALL]},
        {"role": "tool", "content": "12345", "tool_call_id": "a"},
        {"role": "assistant", "content": "12345"},
    ],
    "reward": 1.0,
}
#: ``{"order":"A7"}``
ARGUMENTS = 14


@pytest.fixture
def a_token_a_character(monkeypatch: pytest.MonkeyPatch) -> None:
    def tokens(_: str, messages: list[Message], *__: object) -> int:
        return sum(len(message["content"]) for message in messages)

    monkeypatch.setattr(measure, "conversation_tokens", tokens)


def test_a_row_is_as_long_as_its_texts_and_arguments():
    told = export_dataset([ROW])
    assert told["lengths"]["characters"]["max"] == told["characters"] == 20 + ARGUMENTS


def test_schemas_count_on_every_row():
    tools = [{"type": "function", "function": {"name": "track"}}]
    bare = export_dataset([ROW, ROW])["characters"]
    told = export_dataset([ROW, ROW], tools=tools)
    assert told["characters"] == bare + 2 * len('[{"type":"function","function":{"name":"track"}}]')


def test_schemas_of_one_row_do_not_count_on_the_next():
    tools = [{"type": "function", "function": {"name": "track"}}]
    told = export_dataset([{**ROW, "tools": tools}, ROW])
    schemas = len('[{"type":"function","function":{"name":"track"}}]')
    assert told["characters"] == 2 * (20 + ARGUMENTS) + schemas


def test_a_sample_counts_what_stands_before_its_end():
    told = export_dataset([ROW], unroll=True)
    assert told["lengths"]["characters"]["p50"] == 10 + ARGUMENTS
    assert told["lengths"]["characters"]["max"] == 20 + ARGUMENTS


def test_arguments_of_later_calls_do_not_count_on_a_sample():
    ask, called, seen, reply = ROW["messages"]
    row = {**ROW, "messages": [ask, called, seen, called, seen, reply]}
    samples = (10 + ARGUMENTS, 15 + 2 * ARGUMENTS, 25 + 2 * ARGUMENTS)
    assert export_dataset([row], unroll=True)["characters"] == sum(samples)


def test_a_pair_is_as_long_as_its_longer_side():
    shorter = {"messages": [ROW["messages"][0], {"role": "assistant", "content": "no"}]}
    told = export_preference([{"chosen": ROW, "rejected": shorter}])
    assert told["lengths"]["characters"]["max"] == 20 + ARGUMENTS


@pytest.mark.usefixtures("a_token_a_character")
def test_rows_past_the_limit_are_warned_of_or_left_out(tmp_path: Path):
    long = {"messages": [*ROW["messages"][:3], {"role": "assistant", "content": "x" * 90}]}
    given = {"tokenizer": tmp_path / "tokenizer.json", "max_tokens": 50}
    told = export_dataset([ROW, long], **given)
    assert told["lengths"]["tokens"]["max"] == 105
    assert (told["n"], told["lengths"]["past_max_tokens"]) == (2, 1)
    assert any("longer than max_tokens=50" in text for text in told["warnings"])
    told = export_dataset([ROW, long], drop_long=True, **given)
    assert (told["n"], told["counts"]["filtered"]) == (1, {"max_tokens": 1})


@pytest.mark.usefixtures("a_token_a_character")
def test_pairs_past_the_limit_are_left_out_where_either_side_is(tmp_path: Path):
    long = {"messages": [*ROW["messages"][:3], {"role": "assistant", "content": "x" * 36}]}
    short, just = (
        {"messages": [ROW["messages"][0], {"role": "assistant", "content": text}]}
        for text in ("no", "x" * 40)
    )
    pairs = [
        {"chosen": chosen, "rejected": rejected}
        for chosen, rejected in ((ROW, short), (just, short), (long, short), (short, long))
    ]
    given = {"tokenizer": tmp_path / "tokenizer.json", "max_tokens": 50, "drop_long": True}
    told = export_preference(pairs, **given)
    assert (told["pairs"], told["counts"]["filtered"]) == (2, {"max_tokens": 2})


@pytest.mark.parametrize("given", [{"max_tokens": 5}, {"drop_long": True}])
def test_a_limit_needs_something_that_counts(given: dict[str, object]):
    with pytest.raises(OptionError, match="expected"):
        export_dataset([ROW], **given)


def test_what_is_not_the_policys_is_counted_from_the_first_trained_turn():
    messages: list[Message] = [
        {"role": role, "content": ""}  # type: ignore[typeddict-item]
        for role in ("system", "user", "assistant", "tool", "tool", "assistant", "user")
    ]
    assert foreign(messages, [0, 0, 1, 0, 0, 1, 0]) == 3
    assert foreign(messages, [0, 0, 0, 0, 0, 1, 0]) == 1
    assert foreign(messages, [0, 0, 0, 0, 0, 0, 0]) == 0
