from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whileai_export.core.forms import has_other_letters, other_forms
from whileai_export.core.skeleton import skeleton


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("plain", []),
        (r"a\nb\u00e9\"c\"", ['a b\u00e9"c"']),
        (r"\ud835\udc00", ["\U0001d400"]),
        (r"a\\nb", [r"a\nb", "a b"]),
        ("a &amp; b", ["a & b"]),
        (r"a &lt;\nb", ["a &lt; b", r"a <\nb", "a < b"]),
        ("> - a", ["- a", "a"]),
        ("- > a", ["> a"]),
        ("> one\n> two", ["one\ntwo"]),
        ("  > > one\n>\n>two", ["one\n\ntwo"]),
        ("- one\n* two\n\u2022 three\n+ four\n## five", ["one\ntwo\nthree\nfour\nfive"]),
        ("- - one", ["- one"]),
        ("one > two - three # four", []),
        ("-5\n#5\n- \n", ["-5\n#5\n\n"]),
    ],
)
def test_a_text_has_other_forms_where_it_has_escapes_or_markup(text, forms):
    assert other_forms(text) == forms


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("see [the desk](https://a.b/c) now", "see the desk now"),
        ("![the desk](a.png)", "the desk"),
        ("<b>one</b>, <i>tw</i>o", "one, two"),
        ("one<br>two<br/>three</p><p class='x'>four", "one two three  four"),
        ("<H2>one</H2>", " one "),
        ("it&#39;s &quot;one&quot;&nbsp;two &c", 'it\'s "one"\xa0two &c'),
    ],
)
def test_marks_of_markdown_and_html_are_taken_away(text, shown):
    assert other_forms(text) == [shown]


@pytest.mark.parametrize("text", ["a[0] (b)", "<think>one</think> a < b <c>", "a & b &c;", "a>b"])
def test_what_only_looks_like_markup_stays(text):
    assert other_forms(text) == []


@given(st.text("ab1 <>/bripn\\u&#;[]()-\n\u00e9", max_size=40))
def test_only_some_texts_have_forms_with_other_letters(text):
    if not has_other_letters(text):
        assert {skeleton(form) for form in other_forms(text)} <= {skeleton(text)}
