from __future__ import annotations

from whileai_export.pipeline.lengths import Lengths, percentiles


def test_a_percentile_is_one_of_the_values():
    assert percentiles(range(1, 101)) == {"p50": 50, "p90": 90, "p99": 99, "max": 100}


def test_one_value_is_every_percentile():
    assert percentiles([7]) == {"p50": 7, "p90": 7, "p99": 7, "max": 7}


def test_the_order_of_the_values_does_not_matter():
    assert percentiles([3, 1, 2]) == {"p50": 2, "p90": 3, "p99": 3, "max": 3}


def test_nothing_has_no_percentile():
    assert percentiles([]) is None


def test_rows_that_nobody_counted_have_no_tokens():
    lengths = Lengths()
    lengths.take([10, 20], [0, 0])
    assert lengths.report(None) == {
        "characters": {"p50": 10, "p90": 20, "p99": 20, "max": 20},
        "tokens": None,
    }


def test_rows_past_the_limit_are_counted():
    lengths = Lengths()
    lengths.take([10, 20], [4, 8])
    lengths.take([30], [12])
    told = lengths.report(max_tokens=8)
    assert told["tokens"] == {"p50": 8, "p90": 12, "p99": 12, "max": 12}
    assert told["past_max_tokens"] == 1


def test_equal_values_count_as_often_as_they_come():
    assert percentiles([5] * 90 + [9] * 9 + [70]) == {"p50": 5, "p90": 5, "p99": 9, "max": 70}
