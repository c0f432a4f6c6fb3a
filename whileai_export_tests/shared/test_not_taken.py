from __future__ import annotations

from whileai_export.shared.not_taken import not_taken


def test_of_many_some_are_named_and_every_pattern_once():
    names = [f"n{n}" for n in range(7)]
    assert not_taken(names, ["a-*", "a-*", "b"]) == (
        "no dataset takes n0, n1, n2, n3, n4 and 2 more: export.toml names a-*, b; a wider"
        " `simulations` there, or a [dataset.NAME] of their own, exports them"
    )
