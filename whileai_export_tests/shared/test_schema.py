from __future__ import annotations

from whileai_export.shared.schema import CARRIED, GROUP_FIELDS, PRIVATE_KEYS, Surroundings


def test_the_callers_prompt_and_tools_win_over_the_sources():
    around = Surroundings(system_prompt="a", source_prompt="b", tools=[{"n": 1}])
    assert (around.given_prompt, around.given_tools) == ("a", [{"n": 1}])
    around = Surroundings(source_prompt="b", source_tools=[{"n": 2}])
    assert (around.given_prompt, around.given_tools) == ("b", [{"n": 2}])


def test_nothing_is_carried_twice_or_private():
    names = [*CARRIED, *GROUP_FIELDS]
    assert len(names) == len(set(names))
    assert PRIVATE_KEYS.isdisjoint(names)
    assert (CARRIED[0], CARRIED[-1]) == ("reward", "model_version")
