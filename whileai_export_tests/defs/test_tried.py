from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from whileai_export.defs import tried
from whileai_export.defs.choices import Layer
from whileai_export.defs.dataset import Nightly
from whileai_export.shared.errors import OptionError


@pytest.mark.parametrize(
    ("attempt", "given"),
    [
        (tried.option, ("min_reward", 0.5)),
        (tried.option, ("sft", ["openai", "kto"])),
        (tried.option, ("max_tokens", 4096)),
        (tried.option, ("drop_long", True)),
        (tried.option, ("min_reward", None)),
        (tried.dataset_name, ("v1_support",)),
        (tried.paths, (["eval/tasks.jsonl"],)),
        (tried.cron, (Nightly("0 3 * * 1", "Europe/Berlin"),)),
        (tried.dataset_name, ("support_2",)),
    ],
)
def test_what_can_be_meant_is_no_problem(attempt: Callable[..., None], given: tuple[Any, ...]):
    attempt(*given)


@pytest.mark.parametrize(
    ("attempt", "given", "problem"),
    [
        (tried.option, ("min_reward", 5), "min_reward: expected a number from 0 to 1, got 5"),
        (tried.option, ("preference", ["kto"]), "format: expected one of openai, trl"),
        (tried.option, ("dedupe", 1), "dedupe: input should be a valid boolean, got 1"),
        (tried.paths, ("eval.jsonl",), "holdout: expected a list of paths under the home"),
        (tried.cron, (Nightly("nights"),), "cron: expected a cron line and a time zone"),
        (tried.dataset_name, ("2nd",), "dataset name: expected a letter, then letters"),
        (tried.dataset_name, ("v0001",), "dataset name: expected a name that no version has"),
        (tried.dataset_name, ("LATEST",), "dataset name: expected a name that no version has"),
        (tried.dataset_name, ("Latest",), "dataset name: expected a name that no version has"),
        (tried.option, ("columns", ["privileged"]), "columns: privileged are private and never"),
    ],
)
def test_what_nothing_could_mean_is_refused(
    attempt: Callable[..., None], given: tuple[Any, ...], problem: str
):
    with pytest.raises(OptionError) as refused:
        attempt(*given)
    assert str(refused.value).startswith(problem)


@pytest.mark.parametrize(
    "key",
    [
        *("min_reward", "max_tokens", "max_per_task", "max_tool_output_chars"),
        *("tokenizer", "columns", "adapter"),
    ],
)
def test_the_text_none_is_null_of_an_option_that_may_be_null(key: str):
    assert tried.meant(key, "none") is None
    assert tried.meant(key, "nome") == "nome"


@pytest.mark.parametrize("key", ["dedupe", "on_leak", "sft", "system_prompt", "min_margin"])
def test_the_text_none_is_itself_of_any_other_key(key: str):
    assert tried.meant(key, "none") == "none"


def test_options_are_told_together_where_each_could_be_meant():
    tokens = Layer("[defaults]", {"max_tokens": 9, "tokenizer": "t.json"})
    tried.together((tokens,))
    with pytest.raises(OptionError, match="max_tokens: expected tokenizer="):
        tried.together((tokens, Layer("[dataset.a]", {"tokenizer": None})))
