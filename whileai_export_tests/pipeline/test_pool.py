from __future__ import annotations

import json

from whileai_export.io.spool import Spool
from whileai_export.io.staging import Staging
from whileai_export.pipeline.job import Job
from whileai_export.pipeline.pool import Pool
from whileai_export.pipeline.quarantine import Quarantine
from whileai_export.pipeline.scout import run_scout
from whileai_export.shared.options import PairOptions
from whileai_export.shared.schema import Surroundings
from whileai_export_tests.builders import chat_row

ROWS = [
    chat_row("a", "good"),
    chat_row("b", "only"),
    chat_row("c", "one", 1),
    chat_row("c", "two", 0.5),
    chat_row("a", "bad", 0),
]
ALONE = {"messages": [{"role": "assistant", "content": "x"}], "reward": 1}


def pooled(rows: list, *, size: int = 2, **options: object) -> tuple[list, dict]:
    made = Job(PairOptions(**options), Surroundings())
    with Staging() as staging, Spool() as spool:
        pool = Pool(spool, Quarantine(staging, None))
        for start in range(0, len(rows), size):
            pool.take(run_scout(made, enumerate(rows[start : start + size], 1)))
        pairs = [
            tuple(json.loads(row)["messages"][1]["content"] for row in (pair.chosen, pair.rejected))
            for pair in pool.pairs(made.options)
        ]
        return pairs, pool.report(len(pairs))


def test_rollouts_of_all_parts_are_paired():
    pairs, report = pooled(ROWS)
    assert pairs == [("good", "bad")]
    assert report == {
        "pairs": 1,
        "tasks_seen": 3,
        "tasks_with_contrast": 2,
        "without_pair": {"margin": 1, "one_rollout": 1},
    }


def test_the_order_of_rows_and_the_size_of_parts_change_nothing():
    wanted = pooled(ROWS, min_margin=0.3)
    assert pooled(ROWS[::-1], size=1, min_margin=0.3) == wanted
    assert len(wanted[0]) == 2


def test_a_row_knows_its_place_among_the_readable_rows_of_its_task():
    rows = [chat_row("t", r, n % 2) for n, r in enumerate("abcd")]
    rows.insert(2, chat_row("t", "x", None))  # readable, and no candidate
    for size in (1, 2, 5):
        made = Job(PairOptions(max_pairs_per_task=2), Surroundings())
        with Staging() as staging, Spool() as spool:
            pool = Pool(spool, Quarantine(staging, None))
            for start in range(0, 5, size):
                pool.take(run_scout(made, enumerate(rows[start : start + size], 1)))
            found = {pair.places for pair in pool.pairs(made.options)}
        assert sorted(n for pair in found for n in pair) == [0, 1, 3, 4]


def test_rows_without_a_task_are_tasks_without_a_pair():
    _, report = pooled([ALONE, ALONE, ALONE], size=1)
    assert (report["tasks_seen"], report["without_pair"]) == (3, {"one_rollout": 3})
