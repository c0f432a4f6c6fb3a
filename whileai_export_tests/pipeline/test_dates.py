from __future__ import annotations

import json

import pytest

from whileai_export.pipeline.dates import Dates, is_date

TEXTS = {"task": ["string"], "reward": ["float64"]}


def kind_after(*tasks: str | None) -> list[str]:
    dates = Dates(TEXTS)
    for task in tasks:
        dates.look(json.dumps({"task": task, "reward": 1.0}).encode())
    dates.look(b"")
    return dates.kinds(TEXTS)["task"]


@pytest.mark.parametrize(
    "text", ["2024-01-01", "2024-01-01T10:00Z", "2024-01-01 10:00:00", "2024-01-01T10:00:00+02:00"]
)
def test_a_loader_takes_it_for_a_date(text: str):
    assert is_date(text)


@pytest.mark.parametrize("text", ["20240101", "2024-01", "10:00:00", "2024-01-01 or so", ""])
def test_a_loader_takes_it_for_a_text(text: str):
    assert not is_date(text)


def test_a_column_of_dates_alone_is_one_of_dates():
    assert kind_after("2024-01-01", None, "2024-01-02") == ["date"]


def test_one_other_text_makes_it_one_of_texts():
    assert kind_after(*["2024-01-01"] * 50, "a task") == ["string"]


def test_a_column_that_shows_nothing_is_one_of_texts():
    assert kind_after(None, None) == ["string"]


def test_what_a_later_line_shows_counts_too():
    dates = Dates(TEXTS)
    dates.look(b'{"task": "2024-01-01"}')
    dates.look(b'{"task": "a task"}')
    assert dates.kinds(TEXTS) == TEXTS
