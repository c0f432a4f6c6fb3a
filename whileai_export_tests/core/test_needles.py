from __future__ import annotations

import pytest

from whileai_export.core.leak import quotes
from whileai_export.core.needles import needles


def fields(privileged: object) -> list[str]:
    return [needle.field for needle in needles(privileged)]


def test_every_value_at_every_key_at_any_depth_is_a_needle():
    block = {
        "reference": "the vault opens at nine",
        "hidden_state": {
            "fee": "forty euros extra",
            "codes": ["late-checkout-override", {"deep": [["walnut-river-nine"]]}],
        },
    }
    assert fields(block) == [
        "reference",
        "hidden_state.fee",
        "hidden_state.codes[0]",
        "hidden_state.codes[1].deep[0][0]",
    ]


@pytest.mark.parametrize(
    ("block", "found"),
    [
        ("the vault opens at nine", ["privileged"]),
        (["the vault opens at nine", "short"], ["privileged[0]"]),
        ({"a": '{"b": "the vault opens at nine"}'}, ["a", "a.b"]),
        ({"a": "[broken json of length"}, ["a"]),
        (None, []),
        ("", []),
        ({}, []),
        ([], []),
        ({"a": {}, "b": []}, []),
    ],
)
def test_a_block_of_any_kind_is_searched(block, found):
    assert fields(block) == found


@pytest.mark.parametrize(
    "value",
    [
        "eleven char",
        "  eleven char   ",
        "e\u200bleven\u00ad char",
        "",
        "*" * 40,
        "...............",
        "-- a. b --**",
        True,
        False,
        None,
        1234,
        12.5,
        "1234",
        float("nan"),
    ],
)
def test_short_values_are_skipped(value):
    assert fields({"a": value}) == []


@pytest.mark.parametrize(
    "value",
    [
        *("twelve chars", "stale_result", "a-b-c-d-e-f-g", "**ab cd ef**", "\u5bc6" * 12),
        *(12345, 123.45, "12345"),
    ],
)
def test_long_values_and_long_numbers_are_needles(value):
    assert fields({"a": value}) == ["a"]


def test_a_long_value_is_also_searched_sentence_by_sentence():
    first = "The guest must never hear of the second room."
    second = "Say that the house is full until the end of May."
    [needle] = needles({"rule": f"{first} {second} Stay calm."})
    assert [piece.text for piece in needle.pieces] == [
        f"{first} {second} Stay calm.",
        first,
        second,
    ]
    assert [piece.text for piece in needle.rest] == ["Stay calm."]


def test_a_value_of_eighty_characters_is_searched_whole():
    value = "The guest must never hear of the second room. It is kept for the owner's sister."
    assert len(value) == 80
    [needle] = needles({"rule": value})
    assert [piece.text for piece in needle.pieces] == [value]
    for seen_as_eighty in (value.replace(". ", ".  "), value.replace(". ", ".\u200b ")):
        [needle] = needles({"rule": seen_as_eighty})
        assert [piece.text for piece in needle.pieces] == [seen_as_eighty]
    [needle] = needles({"rule": f"{value[:-1]}s."})
    assert [piece.text for piece in needle.pieces] == [
        f"{value[:-1]}s.",
        value[:45],
        value[46:-1] + "s.",
    ]


@pytest.mark.parametrize(
    ("sentence", "searched"),
    [
        ("The second doors from the left.", True),
        ("**The second doors from the left**!", True),
        ("\u201cThe third door on the left is\u201d.", False),
    ],
)
def test_a_sentence_is_searched_from_thirty_characters_in_normal_form(sentence, searched):
    other = "The guest must never hear of the second room or of its keys."
    [needle] = needles({"rule": f"{sentence} {other}"})
    assert [piece.text for piece in needle.pieces[1:]] == [sentence, other][not searched :]
    assert [piece.text for piece in needle.rest] == [sentence] * (not searched)


def test_a_long_value_of_short_sentences_is_searched_whole():
    value = "Take the stairs. Mind the gap. Turn left twice. Knock once. Say nothing. Wait. Count."
    [needle] = needles({"rule": value})
    assert [piece.text for piece in needle.pieces] == [value]
    assert quotes(f"So: {value.upper()}", (needle,))


def test_keys_are_names_and_no_needles():
    assert needles({"the vault opens at nine": "yes"}) == ()


def test_what_json_cannot_say_is_searched_all_the_same():
    assert fields({"a": "the vault opens at nine", "b": 10**30, "c": "\ud800 and more of it"}) == [
        "a",
        "b",
        "c",
    ]


def test_a_large_block_is_searched_like_a_small_one():
    block = {"notes": [f"note number {n} of the shift" for n in range(1000)]}
    assert len(needles(block)) == 1000
