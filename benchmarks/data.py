"""Graded rollouts made from a seed: ``python benchmarks/data.py N OUT.jsonl [--seed S]``.

Rows have the shape ``steps`` and about 3.4 KB each, so 20,000 of them are 68 MB. The same
arguments give the same bytes. The policy and the tools go to ``<stem>.meta.json`` beside it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import orjson
import world
from desk import Desk, Row

ROLLOUTS = 4
PASS = 0.5
REWARDS = [0, 0.0, 0.2, 0.4, 0.6, 0.75, 1, 1.0]


def task_facts(desk: Desk, task: int) -> Row:
    """What every rollout of a task shares."""
    kind = desk.below(len(world.REFERENCES))
    faults = {"*": {"mode": "timeout", "rate": 1.0}} if kind == len(world.REFERENCES) - 1 else None
    hidden = {"condition": world.HIDDEN_STATES[kind], "faults": faults, "case": 9000000 + task}
    return {
        "scenario_id": f"sc-{desk.hexes(6)}{task:06x}",
        "prompt": desk.some(desk.asks, 2, 2),
        "world_state": desk.one(["fresh", "returning guest", None]),
        "faults": faults,
        "privileged": {"hidden_state": hidden, "reference": world.REFERENCES[kind]},
        "tier": desk.one(["ordinary", "ambiguous", "hard"]),
        "ask_family": desk.one(["tool", "rule", "talk"]),
        "stance": desk.one(["hurried", "unsure", "calm", "annoyed"]),
        "intent_known": desk.chance(0.8),
        "tool_known": desk.chance(0.8),
        "scenario_dimensions": {"route": desk.one(world.ROUTES), "day": desk.one(world.DAYS)},
    }


def graded(desk: Desk) -> Row:
    """The columns that a grader adds; now and then it fails."""
    if desk.chance(0.01):
        return {"reward": None, "judge_status": "error", "judge_name": "desk_judge"}
    reward = desk.one(REWARDS)
    grade = {
        "reward": reward,
        "reason": f"{desk.below(5)} of 5 points of the desk rules hold",
        "judge_status": "ok",
        "judge_name": "desk_judge",
        "markers": {"fare_quoted": desk.below(2), "polite": desk.below(2)},
    }
    if reward < PASS:
        grade["failure_class"] = desk.one(["moved_unasked", "guessed_fare", "gave_up"])
    return grade


def lineage(desk: Desk, scenario: str) -> Row:
    return {
        "system_prompt_sha": world.SYSTEM_PROMPT_SHA,
        "system_prompt_head": world.SYSTEM_PROMPT[:120],
        "system_prompt_chars": len(world.SYSTEM_PROMPT),
        "scoring_run_id": f"score_{desk.hexes(12)}",
        "source": "grade",
        "parent": scenario,
    }


def rollout(desk: Desk, facts: Row, index: int, seed: int) -> Row:
    """One row of a task; some columns stand on a part of the rows only."""
    row = {
        "schema_version": "1",
        **facts,
        "arm": desk.one(["structured", "free"]),
        "steps": desk.steps(),
        "final_text": desk.text((1, 1), (2, 3)),
        "behavior_signature": desk.hexes(12),
        **graded(desk),
        "rollout_index": index,
        "model_version": "desk-agent-3",
        "writer_model": "template",
        "user_model": None,
        "lineage": lineage(desk, facts["scenario_id"]),
        "seed": seed,
        "semantic_cluster": desk.below(40),
        "selection_reason": f"typical cluster={desk.below(40)} novelty=1.000",
        "finish_reason": "length" if desk.chance(0.01) else "stop",
        "policy_version": f"desk-agent-3@{world.SYSTEM_PROMPT_SHA}",
        "sampling": None,
    }
    row["tools_used"] = sorted({step["tool"] for step in row["steps"] if "tool" in step})
    if desk.chance(0.5):
        row["usage"] = {"prompt_tokens": desk.below(3000), "completion_tokens": desk.below(700)}
        row["n_tokens"] = desk.below(700)
    if desk.chance(0.3):
        row["tone"] = desk.one(["warm", "plain"])
    return row


def rows(count: int, seed: int = 0, rollouts: int = ROLLOUTS) -> Iterator[Row]:
    """The first ``count`` rows of a simulation whose tasks have ``rollouts`` rows each."""
    desk = Desk(seed)
    facts: Row = {}
    for number in range(count):
        if number % rollouts == 0:
            facts = task_facts(desk, number // rollouts)
        yield rollout(desk, facts, number % rollouts, seed)


def write(count: int, output: Path, seed: int = 0, *, long_task: bool = False) -> None:
    """The rows as JSONL, with the policy and the tools in the sidecar."""
    with output.open("wb") as file:
        for row in rows(count, seed, count if long_task else ROLLOUTS):
            file.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
    sidecar = {"system_prompt": world.SYSTEM_PROMPT, "tools": world.TOOLS}
    output.with_name(f"{output.stem}.meta.json").write_bytes(orjson.dumps(sidecar))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=int)
    parser.add_argument("output", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--long-task", action="store_true", help="every row is of one task")
    given = parser.parse_args()
    write(given.rows, given.output, given.seed, long_task=given.long_task)


if __name__ == "__main__":
    main()
