from __future__ import annotations

from whileai_export.core.leaves import leaves


def test_every_value_comes_with_its_path():
    tree = {"a": 1, "b": {"c": ["x", {"d": None}]}, "e": [], "f": {}}
    assert leaves(tree, "") == [("a", 1), ("b.c[0]", "x"), ("b.c[1].d", None)]


def test_a_list_and_a_bare_value_begin_at_the_given_place():
    assert leaves(["x", ["y"]], "block") == [("block[0]", "x"), ("block[1][0]", "y")]
    assert leaves("x", "block") == [("block", "x")]


def test_a_long_key_shows_its_number_only():
    assert leaves({"a": 1, "k" * 41: 2}, "t") == [("t.a", 1), ("t.<key 1>", 2)]
