from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from whileai_export.defs import tried
from whileai_export.defs.dataset import Nightly
from whileai_export.shared.errors import OptionError


@pytest.mark.parametrize(
    ("attempt", "given"),
    [
        (tried.option, ("min_reward", 0.5)),
        (tried.option, ("sft", ["openai", "kto"])),
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
    ],
)
def test_what_nothing_could_mean_is_refused(
    attempt: Callable[..., None], given: tuple[Any, ...], problem: str
):
    with pytest.raises(OptionError) as refused:
        attempt(*given)
    assert str(refused.value).startswith(problem)
