from whileai_export.core.repairs import added, total
from whileai_export.shared.schema import NO_REPAIRS


def test_counts_of_one_kind_are_added():
    assert added({"a": 1, "b": 2}, {"b": 3, "c": 4}) == {"a": 1, "b": 5, "c": 4}


def test_adding_nothing_makes_nothing():
    one = {"a": 1}
    assert added(one, NO_REPAIRS) is one
    assert added(NO_REPAIRS, one) is one


def test_adding_changes_neither_side():
    one, other = {"a": 1}, {"a": 2}
    added(one, other)
    assert (one, other) == ({"a": 1}, {"a": 2})


def test_a_total_is_the_sum_of_its_parts():
    assert total({"a": 1}, NO_REPAIRS, {"a": 2}, {"b": 1}) == {"a": 3, "b": 1}
    assert total(NO_REPAIRS, NO_REPAIRS) is NO_REPAIRS
