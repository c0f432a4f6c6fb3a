from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whileai_export.core.folding import fold
from whileai_export.core.numbers import number_text, number_token, written
from whileai_export.core.skeleton import skeleton


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (48213, "48213"),
        (-48213, "48213"),
        (48213.0, "48213"),
        (1234.5, "1234.5"),
        (-1234.5, "1234.5"),
        ("48213", "48213"),
        ("48,213", "48213"),
        ("1,048,213", "1048213"),
        ("48213.50", "48213.5"),
        ("004821", "004821"),
        (4821, None),
        (444.1, None),
        ("4821", None),
        (True, None),
        (None, None),
        (1e15, "1000000000000000"),
        (-123456789012345678.0, "123456789012345680"),
        (1.5e15, "1500000000000000"),
        (1500000000000000.5, "1500000000000000.5"),
        (18446744073709549568.0, "18446744073709549568"),
        (float("nan"), None),
        (float("inf"), None),
        (1e300, None),
        (1.23456e-05, None),
        (10**400, None),
        ("4,8213", None),
        ("48213 euros", None),
        ("1" * 5000, None),
    ],
)
def test_a_number_of_five_digits_is_written_in_plain_digits(value, text):
    assert number_text(value) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ("48213", "the fee is 48213"),
        ("48213", "$48,213.00 in all"),
        ("48213", "order-48213, [48213,5]"),
        ("48213", "4**82**13!"),
        ("48213", "(48213)"),
        ("48213", "48213.0"),
        ("1234.5", "it costs 1,234.50 euros"),
    ],
)
def test_a_number_is_found_as_a_token(number, text):
    assert number_token(number).search(fold(text))


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ("48213", "148213 and 482130"),
        ("48213", "48213.5"),
        ("48213", "1,48,213"),
        ("48213", "48,213,000"),
        ("48213", "a48213 48213b"),
        ("48213", "0.48213"),
        ("1234.5", "1234.51 or 21234.5"),
    ],
)
def test_a_part_of_another_number_is_no_token(number, text):
    assert not number_token(number).search(fold(text))


def test_other_values_are_not_written():
    assert [written(value) for value in (True, None, "x", [], 1e20, 10**4000)] == [""] * 6


@given(st.integers(10_000, 10**18) | st.floats(1000, 1e12).filter(lambda x: "e" not in repr(x)))
def test_a_number_finds_itself(number):
    text = number_text(number)
    said = f"It is {written(number)}, as agreed."
    if text:
        assert number_token(text).search(fold(said))
        assert skeleton(text) in skeleton(said)
        assert skeleton(text) in skeleton(repr(number))
