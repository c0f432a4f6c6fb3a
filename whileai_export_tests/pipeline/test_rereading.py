from __future__ import annotations

import datetime

import pytest

from whileai_export.pipeline.rereading import causes, differences


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ({"a": [1, "x", None, True]}, {"a": [1, "x", None, True]}),
        ({"a": 1}, {"a": 1.0}),
        ({"a": 0.4330127018922193}, {"a": 0.4330127019}),
    ],
)
def test_what_came_back_is_the_same(ours: object, theirs: object):
    assert list(differences(ours, theirs)) == []


@pytest.mark.parametrize(
    ("ours", "theirs", "at", "problem"),
    [
        ({"a": {"b": 1}}, {"a": {}}, "$.a.b", "expected the key back, it is lost"),
        ({"a": {}}, {"a": {"b": None}}, "$.a.b", "expected no such key, one came back"),
        ({"a": ["007"]}, {"a": [7]}, "$.a[0]", "expected str back, got int"),
        ({"a": "x"}, {"a": "y"}, "$.a", "expected str back, got another"),
        ({"a": True}, {"a": 1}, "$.a", "expected bool back, got int"),
        ({"a": [1, 2]}, {"a": [1]}, "$.a", "expected list back, got another"),
        ({"a": 1e-12}, {"a": 0.0}, "$.a", "expected float back, got another"),
        (
            {"a": "2024-01-01"},
            {"a": datetime.datetime(2024, 1, 1)},
            "$.a",
            "expected str back, got datetime",
        ),
    ],
)
def test_a_difference_is_named_by_place_and_kind(
    ours: object, theirs: object, at: str, problem: str
):
    assert list(differences(ours, theirs)) == [(at, problem)]


def test_an_error_is_told_by_its_name_alone():
    error = ValueError("a private text")
    error.__cause__ = KeyError("another")
    assert causes(error) == "ValueError caused by KeyError"
