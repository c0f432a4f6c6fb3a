from __future__ import annotations

import time

import pytest

from whileai_export.core.code_spans import CodeSpans


def code(text: str) -> list[str]:
    """The spans of a text, found as a walk finds them."""
    spans = CodeSpans(text)
    found = []
    mark = 0
    while spans.start(mark) < len(text):
        end = spans.end(mark)
        if end is None:
            mark += 1
            continue
        found.append(text[spans.start(mark) : end])
        mark = spans.marks_from(end)
    return found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("no code", []),
        ("use `x` and `y`", ["`x`", "`y`"]),
        ("``a ` b``", ["``a ` b``"]),
        ("a ` b", []),
        ("```\ncode\n```\nafter", ["```\ncode\n```"]),
        ("```python\na\n\nb\n```", ["```python\na\n\nb\n```"]),
        ("~~~\na ``` b\n~~~~", ["~~~\na ``` b\n~~~~"]),
        ("````\n```\n````", ["````\n```\n````"]),
        ("```\n```python\n```", ["```\n```python\n```"]),
        ("say ```a``` inline", ["```a```"]),
        ("  - list\n    ```\n    a\n\n    b\n    ```", ["```\n    a\n\n    b\n    ```"]),
        ("one `tick\n\nand another`", []),
        ("two `lines\nof code`", ["`lines\nof code`"]),
        ("```\nnever closed", []),
        ("~~~ not inline ~~~", []),
    ],
)
def test_a_code_span_is_one_that_closes(text, found):
    assert code(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "```x\n" * 40_000,
        "`` ` " * 40_000,
        "`a\n\n" * 40_000,
        "`````x\n" * 20_000 + "```\n" * 20_000,
        "`" * 200_000,
        "``` `" * 40_000,
    ],
)
def test_many_marks_take_no_long_time(text):
    began = time.process_time()
    code(text)
    assert time.process_time() - began < 3
