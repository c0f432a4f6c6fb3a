"""Other forms of a text, in which words that were apart stand together: escapes, markup."""

from __future__ import annotations

import re
from html import unescape

_ESCAPE = re.compile(r"((?:\\u[0-9a-fA-F]{4})+)|\\(.)", re.DOTALL)
_MOST_ESCAPED = 3

#: Before the words of a line in Markdown. A value may have marks of its own, so one at a time.
_QUOTED = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_LISTED = re.compile(r"^[ \t]*(?:#{1,6}|[-+*\u2022])[ \t]+", re.MULTILINE)
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")
_APART = r"br|p|div|li|ul|ol|dl|dt|dd|tr|td|th|table|thead|tbody|h[1-6]|hr|blockquote|pre"
_WITHIN = r"a|b|i|u|s|em|strong|span|code|mark|small|sub|sup|font|del|ins|q|cite|kbd|tt"
_TAG = re.compile(rf"</?(?:({_APART})|{_WITHIN})(?:\s[^<>]*)?/?>", re.IGNORECASE)


def other_forms(text: str) -> list[str]:
    """What the text becomes when JSON escapes in it are read, once or more often, and what a
    reader sees of each when it is shown as Markdown or HTML.
    """
    forms = _unescaped(text)
    for form in (text, *forms):
        inline = _inline(form)
        unquoted = _QUOTED.sub("", inline)
        forms += dict.fromkeys((inline, unquoted, _LISTED.sub("", unquoted)))
    return [form for form in dict.fromkeys(forms) if form != text]


def has_other_letters(text: str, *, tags: bool = True) -> bool:
    """Whether one of its other forms may have other letters or digits than the text.

    ``tags``: whether what looks like a tag may be one; those of reasoning are none.
    """
    if "\\" in text or "&" in text or (tags and "<" in text):
        return True
    return "]" in text and "](" in text  # one character is found much faster than two


def _inline(text: str) -> str:
    """The text without the marks of Markdown and HTML between its words."""
    if "<" in text:
        text = _TAG.sub(_gap, text)
    if "&" in text:
        text = unescape(text)
    return _LINK.sub(r"\1", text) if "](" in text else text


def _gap(tag: re.Match[str]) -> str:
    return " " if tag[1] else ""


def _unescaped(text: str) -> list[str]:
    forms: list[str] = []
    while "\\" in text and len(forms) < _MOST_ESCAPED:
        text = _ESCAPE.sub(_character, text)
        forms.append(text)
    return forms


def _character(escape: re.Match[str]) -> str:
    if escape[1]:
        units = bytes.fromhex(escape[1].replace("\\u", ""))
        return units.decode("utf-16-be", "replace")
    return " " if escape[2] in "nrtbf" else escape[2]
