"""What all rollouts of one task have in common."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from whileai_export.shared.schema import JsonObject

PASS = 0.5
#: Loaders keep ten decimals of any number; with more, a file would come back changed.
_DECIMALS = 10


def group_fields(task: bytes, rewards: Sequence[float]) -> JsonObject:
    """The group's columns. ``rewards`` holds one entry per rollout, NaN where it is ungraded.

    ``reward_std`` is the population's, as advantages are computed (GRPO, Shao et al. 2024).
    """
    graded = [r for r in rewards if not math.isnan(r)]
    mean: Any = math.fsum(graded) / len(graded) if graded else None
    spread: Any = None
    if graded:
        spread = math.sqrt(math.fsum((r - mean) ** 2 for r in graded) / len(graded))
    return {
        "group_id": task.hex()[:12],
        "k": len(rewards),
        "n0": sum(1 for r in graded if r < PASS),
        "n1": sum(1 for r in graded if r > PASS),
        "reward_mean": None if mean is None else round(mean, _DECIMALS),
        "reward_std": None if spread is None else round(spread, _DECIMALS),
    }
