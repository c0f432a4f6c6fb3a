from __future__ import annotations

from whileai_export.shared.nearest import did_you_mean


def test_the_nearest_known_word_is_named():
    assert did_you_mean("min_rewrad", ("min_reward", "dedupe")) == "; did you mean 'min_reward'?"


def test_where_none_is_near_nothing_is_said():
    assert did_you_mean("shade", ("min_reward", "dedupe")) == ""
