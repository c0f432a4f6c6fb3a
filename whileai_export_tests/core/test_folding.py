from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whileai_export.core.folding import fold, visible


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("The Blue  Door", "the blue door"),
        ("Stra\u00dfe", "strasse"),
        ("\uff36\uff49\uff4f\uff4c\uff45\uff54", "violet"),
        ("\ufb01fty of\ufb01ces", "fifty offices"),
        ("blue\u00ad do\u200bor", "blue door"),
        ("\ufeffviolet\u2060", "violet"),
        ("it\u2019s the \u201cblue\u201d door", "its the blue door"),
        ('it\'s the "blue" door', "its the blue door"),
        ("\u00abblue\u00bb \u2039door\u203a", "blue door"),
        ("it\u00b4s", "its"),
        ("violet\u2014anchor", "violet-anchor"),
        ("violet \u2013 anchor", "violet-anchor"),
        ("violet -- anchor", "violet-anchor"),
        ("violet-\nanchor", "violet-anchor"),
        ("vio**let** _anchor_ ~~seven~~ `nine`", "violet anchor seven nine"),
        ("snake_case_name", "snakecasename"),
        ("Stop! Then go: now.", "stop then go now"),
        ("wait\u2026 what", "wait what"),
        ("(see below.)", "see below"),
        ("He said \u201cgo.\u201d", "he said go"),
        ("three\n\t lines\r\nhere", "three lines here"),
        ("a\u00a0b\u2028c\u3000d", "a b c d"),
        ("3.5 of 1,000 at 12:30", "3.5 of 1,000 at 12:30"),
        ("x\U000e0041y", "xy"),
        ("vio\x7flet\x00", "violet"),
        ("vio\x7fl\u00e9t\x00", "viol\u00e9t"),
        ("", ""),
        ("\u0915\u0964 \u0915\u0965", "\u0915 \u0915"),
        ("\u0643\u061f \u0643\u06d4 \u0643\u060c \u0643", "\u0643 \u0643 \u0643 \u0643"),
        ("\u0561\u0589 \u1218\u1362 \u1218\u1367", "\u0561 \u1218 \u1218"),
        ("\u1000\u104b \u1780\u17d4 \u1780\u17d5", "\u1000 \u1780 \u1780"),
        ("***", ""),
    ],
)
def test_a_text_has_one_normal_form(text, folded):
    assert fold(text) == folded


@given(st.text())
def test_folding_twice_changes_nothing(text):
    assert fold(fold(text)) == fold(text)


PLAIN = st.text("ab9 .,-'\"*_!?()\n\u2019\u2014\u00e9\ufb01\uff21\u00df\u200b", max_size=30)


@given(PLAIN, PLAIN, PLAIN)
def test_a_quoted_value_stays_a_quote_whatever_stands_around_it(before, value, after):
    assert fold(value) in fold(f"{before} {value} {after}")


@given(st.text(max_size=20), st.text(max_size=20), st.text(max_size=20))
def test_any_value_stays_a_quote_between_lines(before, value, after):
    assert fold(value) in fold(f"{before}\n{value}\n{after}")


@pytest.mark.parametrize(
    "run", [".", "-", " ", "- ", ". ", "*", "\n", "\u2026", "!\u2014", "\u0301"]
)
def test_long_runs_take_no_long_time(run):
    assert len(fold("a" + run * 200_000 + "b")) <= 600_002


def test_what_is_visible_keeps_its_punctuation():
    assert visible(" a\u200bb\u00ad  *c*!\n") == "ab *c*!"


def test_tags_are_not_visible():
    assert visible("vio\U000e0041let") == "violet"
