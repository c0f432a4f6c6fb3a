from __future__ import annotations

from typing import Any

import pytest

from whileai_export.core.prompt_sha import prompt_of, recorded_sha

SHA = "1d05d2cd5f89b166cf0d39416366dd7d0b9f409e07f16908f9d9e7b104e63749"
OTHER = "1d05d2cd99999999cf0d39416366dd7d0b9f409e07f16908f9d9e7b104e63749"


def lineage(recorded: Any) -> dict[str, Any]:
    return {"system_prompt_sha": recorded}


def test_a_recorded_sha_is_read_without_the_space_around_it_and_in_small_letters():
    assert recorded_sha(lineage(f" {SHA[:16].upper()}\n")) == "1d05d2cd5f89b166"


@pytest.mark.parametrize("recorded", [None, 7, "", "1d05d2c", "not a digest"])
def test_what_is_no_sha_is_none(recorded: Any):
    assert recorded_sha(lineage(recorded)) is None


@pytest.mark.parametrize("recorded", [SHA, SHA[:8], SHA[:16].upper(), f" {SHA} "])
@pytest.mark.parametrize("key", [SHA, SHA[:12], SHA.upper()])
def test_a_prompt_is_found_by_the_beginning_of_its_sha(recorded: str, key: str):
    assert prompt_of(lineage(recorded), {key: "Be kind.", "f" * 64: "Be brief."}) == "Be kind."


def test_a_key_that_is_no_sha_is_found_by_its_very_name():
    assert prompt_of(lineage("abc"), {"abc": "Be kind."}) == "Be kind."
    assert prompt_of(lineage("ABC"), {"abc": "Be kind."}) is None


def test_a_beginning_that_two_prompts_share_names_neither():
    prompts = {SHA: "Be kind.", OTHER: "Be brief."}
    assert prompt_of(lineage(SHA[:8]), prompts) is None
    assert prompt_of(lineage(SHA[:12]), prompts) == "Be kind."


@pytest.mark.parametrize("named", [None, "abc", {}, lineage(None), lineage(["abc"]), lineage("xy")])
def test_a_row_that_names_none_has_none(named: Any):
    assert prompt_of(named, {"abc": "Be kind."}) is None
