from __future__ import annotations

import pytest

from whileai_export.core.sentences import sentences


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ('He said "go." Then left.', ['He said "go.', "Then left."]),
        ("Version 3.5 is out", ["Version 3.5 is out"]),
        ("first item\nsecond item", ["first item\nsecond item", "first item", "second item"]),
        (
            "a sentence\nover lines. End.",
            ["a sentence\nover lines.", "End.", "a sentence", "over lines."],
        ),
        ("one\n\ntwo", ["one", "two"]),
        ("One; two. a;b", ["One; two.", "a;b", "One;", "two."]),
        ("\u7b2c\u4e00\u3002\u7b2c\u4e8c\uff01", ["\u7b2c\u4e00\u3002", "\u7b2c\u4e8c\uff01"]),
        ("  ", []),
    ],
)
def test_a_text_falls_into_sentences_and_lines(text, found):
    assert sentences(text) == found


@pytest.mark.parametrize(
    "stop",
    list("\u3002\uff01\uff1f\uff61\u061f\u06d4\u0964\u0965\u0589\u1362\u1367\u104b\u17d4\u17d5"),
)
def test_stops_of_other_scripts_divide_with_or_without_white_space(stop: str):
    for between in ("", " ", "\n"):
        assert sentences(f"eins{stop}{between}zwei{stop}") == [f"eins{stop}", f"zwei{stop}"]
