from __future__ import annotations

import pytest

from whileai_export.core.policy import policy

PROMPT = "You run the front desk of a small hotel. Never promise a refund."
SHA = "1d05d2cd5f89b166cf0d39416366dd7d0b9f409e07f16908f9d9e7b104e63749"


def turns(prompt: str = PROMPT) -> list[dict]:
    return [{"role": "system", "content": prompt}, {"role": "user", "content": "u"}]


@pytest.mark.parametrize("recorded", [SHA, SHA[:16], SHA[:8].upper()])
def test_the_recorded_prompt_is_in_order(recorded):
    assert policy(turns(), {"system_prompt_sha": recorded}) == []


def test_another_prompt_is_found_by_both_digests():
    [finding] = policy(turns("Promise anything."), {"system_prompt_sha": SHA}) or []
    assert (finding.gate, finding.at) == ("policy", "$.messages[0].content")
    assert finding.problem == (
        "expected a system prompt of sha256 1d05d2cd5f89b166, got one of 17e3c74a688cf7e7"
    )


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n"])
def test_a_prompt_that_differs_in_its_last_line_end_is_found_as_that(end: str):
    [finding] = policy(turns(PROMPT + end), {"system_prompt_sha": SHA}) or []
    problem = "expected the system prompt that was played, got it with another line end at last"
    assert finding.problem == problem


@pytest.mark.parametrize(
    "lineage",
    [
        None,
        {},
        {"system_prompt_sha": None},
        {"system_prompt_sha": ""},
        {"system_prompt_sha": "abc"},
        {"system_prompt_sha": "not a digest"},
        "1d05d2cd5f89b166",
    ],
)
def test_without_a_recorded_digest_there_is_nothing_to_compare(lineage):
    assert policy(turns(), lineage) is None


def test_without_a_system_prompt_there_is_nothing_to_compare():
    assert policy([{"role": "user", "content": "u"}], {"system_prompt_sha": SHA}) is None
    assert policy([], {"system_prompt_sha": SHA}) is None
