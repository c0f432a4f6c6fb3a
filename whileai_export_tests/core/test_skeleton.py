from __future__ import annotations

import string
import sys
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whileai_export.core.folding import fold
from whileai_export.core.skeleton import skeleton

KEPT = frozenset(string.ascii_lowercase + string.digits)


def kept_of_fold(text: str) -> bytes:
    return "".join(c for c in fold(text) if c in KEPT).encode()


@pytest.mark.parametrize(
    ("text", "bones"),
    [
        ("It's the Blue-Door, No. 7!", b"itsthebluedoorno7"),
        ("It\u2019s the blue\u00ad door", b"itsthebluedoor"),
        ("caf\u00e9", b"caf"),
        ("cafe\u0301", b"caf"),
        ("Stra\u00dfe", b"strasse"),
        ("\uff21\uff11", b"a1"),
        ("\ud800x", b"x"),
        ("\ud800\uff21", b"a"),
        ("", b""),
    ],
)
def test_a_skeleton_keeps_ascii_letters_and_digits(text, bones):
    assert skeleton(text) == bones


def wrong(code: int) -> bool:
    around = (f"a{chr(code)}b", f"e{chr(code)}b")
    return any(skeleton(text) != kept_of_fold(text) for text in around)


def test_every_letter_and_sign_has_the_skeleton_of_its_fold():
    ideographs = {*range(0x3400, 0xA000), *range(0xAC00, 0xD7A4), *range(0x16000, 0x19000)}
    codes = sorted({*range(0x80, 0x1FBFF)} - ideographs)
    assert [hex(code) for code in codes if wrong(code) and category(chr(code)) != "Cn"] == []


@pytest.mark.slow
def test_every_character_has_the_skeleton_of_its_fold():
    assert [hex(code) for code in range(0x80, sys.maxunicode + 1) if wrong(code)] == []


@given(st.text())
def test_a_skeleton_is_what_is_left_of_the_fold(text):
    assert skeleton(text) == kept_of_fold(text)


@given(
    st.text("aei\u0301\u0308\u00df\u00b2\u00bd\u2122\ufb01\uff21\u2019\u200b \u0130", max_size=12)
)
def test_a_skeleton_is_what_is_left_of_the_fold_of_uneasy_letters(text):
    assert skeleton(text) == kept_of_fold(text)


@given(st.text(max_size=20), st.text(max_size=20), st.text(max_size=20))
def test_a_quote_implies_the_skeleton_of_a_quote(before, value, after):
    said = before + value + after
    if fold(value) in fold(said):
        assert skeleton(value) in skeleton(said)
